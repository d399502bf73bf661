# What a change calls for is found out by the commands in attn/, by content. `make help` prints the lines that begin with
# two #.

## Variables, e.g. `make figures THEME=dark WEIGHTS=mine.toml`
WEIGHTS = attn/weights/you.toml
## WEIGHTS   the weights file that everything is computed from
OUTPUT = output
## OUTPUT    the folder it is made in
THEME = light
## THEME     light, or dark for slides
FORMATS = pdf svg png mp4
## FORMATS   of figures, some of pdf svg png, and of films, some of mp4 gif webm mov; where none is named, as here
TRANSPARENT =
## TRANSPARENT  1: films also without their ground, as .mov (ProRes 4444), to lay over other pictures
WIDTH =
## WIDTH     of figures that allow it, in mm, or column, text, page (84, 130, 174 mm); left out, each has its own
QUALITY = high
## QUALITY   of films: low, medium, high (1920x1080, 60 frames a second), 4k
SLIDES = steps
## SLIDES    one for each step, or for each beat: steps, beats
PAPER = a4
## PAPER     of handouts: a4 or letter
FONT =
## FONT      a font file for words in scripts that the bundled fonts lack; or several, a:b:c, asked in this order
CLAIMS = strict
## CLAIMS    strict: what is false stops the build before it draws; warn: it is said, and what is true is drawn
PYTHON =
## PYTHON    the Python to set up with, 3.11 or newer (found by itself if left out)

MAKEFLAGS += -rR --no-print-directory
.SUFFIXES:
VENV := .venv
READY := $(VENV)/.ready
RUN := exec $(VENV)/bin/python -E -m#  not below a shell: what ends make is to end it, too
script = exec sh -c "$$(tr -d '\r' <$1)" $1#  runs it, however a checkout has changed its line ends and modes

# What is set on the command line is taken letter for letter, and goes to the shell in the environment alone: nothing
# in it is run, whatever it is.
VARIABLES := WEIGHTS OUTPUT THEME FORMATS TRANSPARENT WIDTH QUALITY SLIDES PAPER FONT CLAIMS PYTHON OLD NEW KINDS CASES
export ATTN_GOAL = $@
$(foreach name,$(VARIABLES),$(eval override $(name) := $$(value $(name)))$(eval export ATTN_$(name) := $$($(name))))
export ATTN_NEW := $(or $(NEW),$(WEIGHTS))
export ATTN_QUIET := $(if $(findstring s,$(filter-out --%,$(firstword $(MAKEFLAGS)))),1)

# A name that is nearly one of these is mistyped.
KNOWN := $(VARIABLES) PYTEST BENCH VENV READY RUN
SET := $(filter-out $(KNOWN),$(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name))))
ifneq ($(SET),)
ask = attn.build.variables '$(KNOWN)' $(foreach name,$(SET),'$(subst ','\'',$(name))') 2>/dev/null
MISTYPED := $(shell ($(RUN) $(ask)) || python3 -E -m $(ask))
$(if $(MISTYPED),$(error $(MISTYPED)))
endif

## Targets
TARGETS := all figures videos preview page slides handout proof worksheet diff watch test test-all fuzz lint check bench stale clean help
.PHONY: $(TARGETS) FORCE
all: $(READY)
## all       figures and films (what `make` alone does)
	@$(RUN) attn.cli make
figures: $(READY)
## figures   every figure, in output/figures; one alone by its path: make output/figures/step7_context.pdf
	@$(RUN) attn.cli figure
videos: $(READY)
## videos    every film, in output/videos; one alone by its path: make output/videos/step7_context.mp4
	@$(RUN) attn.cli video
preview: $(READY)
## preview   the films small and fast, in output/preview/videos
	@$(RUN) attn.cli preview
page: $(READY)
## page      figures and films as a web page, in output/page; it opens from disk, or on a site as it is
	@$(RUN) attn.cli page
slides: $(READY)
## slides    a PowerPoint file for each story, in output/slides: a slide for each step, its film starts by itself
	@$(RUN) attn.cli slides
handout: $(READY)
## handout   a step a half page with lines to write on, and each film beat by beat: output/handout.pdf, storyboard.pdf
	@$(RUN) attn.cli handout
test: lint
## test      style, and all tests
	@$(RUN) pytest -n auto --dist loadscope --no-loadscope-reorder $(PYTEST)
test-all: lint
## test-all  those too that need TeX, another font or much time; installs what it needs where it may
	@$(call script,.ci/extras) $(VENV)
	@$(RUN) pytest -n auto --dist loadscope --no-loadscope-reorder -m "slow or not slow" $(PYTEST)
fuzz: $(READY)
## fuzz      weights files that were tampered with, CASES=100000 of them
	@$(RUN) tests.fuzz $$ATTN_CASES
lint: $(READY)
## lint      style and types alone
	@$(VENV)/bin/ruff check --quiet .
	@$(VENV)/bin/ruff format --check --quiet .
	@$(VENV)/bin/mypy --no-error-summary
proof worksheet: $(READY)
## proof     a sheet of all figures: at print size, in grey, as colour-blind eyes see them
## worksheet the figures without what is computed, to fill in with a pencil, and a sheet of answers
	@$(RUN) attn.cli $@
diff: $(READY)
## diff      what weights change: make diff OLD=a.toml NEW=b.toml, a sheet of before and after (output/diff.pdf, .png)
	@$(if $(OLD),,$(error make diff needs OLD=a.toml; NEW= is WEIGHTS if left out))$(RUN) attn.cli diff
watch: $(READY)
## watch     makes what each save of WEIGHTS calls for, until Ctrl-C; KINDS=figures leaves the films, page shows them
	@$(RUN) attn.cli watch
check: $(READY)
## check     the claims that the pictures make and the sentences expected of WEIGHTS, a line each
	@$(RUN) attn.cli check
bench: $(READY)
## bench     how long things take; less of it, and once: make bench BENCH=--quick
	@$(RUN) tests.bench $(BENCH)
stale: $(READY)
## stale     names files in OUTPUT that no figure or film makes any more
	@$(RUN) attn.cli stale
clean: $(READY)
## clean     removes what was made, and nothing else
	@$(RUN) attn.cli clean
help:
## help      this
	@sed -n 's/^## //p' Makefile

# Any path of a file that is made.
ifneq ($(findstring /,$(MAKECMDGOALS)),)
%: FORCE $(READY)
	@$(RUN) attn.cli make
endif
Makefile FORCE: ;

# Any other name is mistyped.
.DEFAULT:
	@exec python3 -E -m attn.build.variables "$(TARGETS)" --target '$(subst ','\'',$@)'

# Whether it has to be set up anew is asked each time: content decides there, too.
$(READY): FORCE
	@$(call script,.ci/setup) $(VENV) "$$ATTN_PYTHON"
