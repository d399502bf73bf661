# What a change calls for is found out by `attn figure` and `attn video`, by content; make only spares starting them
# when nothing was touched. `make help` prints the lines that begin with two #.

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
## WIDTH     of figures that allow it: column, text or page (84, 130, 174 mm); left out, each has its own
QUALITY = high
## QUALITY   of films: low, medium, high (1920x1080, 60 frames a second), 4k
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
comma := ,
space := $() $()
path = $(subst $(space),\ ,$1)#       a path as make wants it
tab := $(subst x,	,x)
close := )
# What make cannot have in a path; a weights file so called, or as make calls a member of an archive, a(b), is looked
# at each time.
odd = $(if $(findstring $(tab),$1),a tab)$(strip $(foreach c,; : % * ? [ \,$(findstring $c,$1)))
found = $(if $(call odd,$1)$(findstring $(close),$1),FORCE,$(if $(wildcard $(path)),$(path)))#  the same, or nothing if there is no such file

# What is set on the command line is taken letter for letter, and goes to the shell in the environment alone: nothing
# in it is run, whatever it is.
$(foreach name,WEIGHTS OUTPUT THEME FORMATS TRANSPARENT WIDTH QUALITY FONT CLAIMS PYTHON OLD NEW KINDS CASES,\
$(eval override $(name) := $$(value $(name))))
STATE := $(OUTPUT)/.state
ifeq ($(and $(WEIGHTS),$(OUTPUT)),)
$(error $(if $(WEIGHTS),OUTPUT,WEIGHTS)= is empty; expected a path)
endif
ifneq ($(call odd,$(OUTPUT)),)
$(error OUTPUT=$(OUTPUT) has $(call odd,$(OUTPUT)) in it, which make cannot have in a path; expected another name)
endif
ifneq ($(wildcard $(call path,$(OUTPUT))/Makefile $(call path,$(OUTPUT))/figures/*.py),)
$(error OUTPUT=$(OUTPUT) is a folder of sources; expected one of its own)
endif

export ATTN_OLD := $(OLD)
export ATTN_NEW := $(or $(NEW),$(WEIGHTS))
export ATTN_KINDS := $(KINDS)
export ATTN_CASES := $(CASES)
export ATTN_PYTHON := $(PYTHON)
export ATTN_WEIGHTS := $(WEIGHTS)
export ATTN_OUTPUT := $(OUTPUT)
export ATTN_THEME := $(THEME)
export ATTN_FORMATS := $(FORMATS)
export ATTN_TRANSPARENT := $(TRANSPARENT)
export ATTN_WIDTH := $(WIDTH)
export ATTN_QUALITY := $(QUALITY)
export ATTN_FONT := $(FONT)
export ATTN_CLAIMS := $(CLAIMS)
export ATTN_QUIET := $(if $(findstring s,$(filter-out --%,$(firstword $(MAKEFLAGS)))),1)
export ATTN_SETTINGS := $(WEIGHTS)|$(THEME)|$(FORMATS)|$(TRANSPARENT)|$(WIDTH)|$(QUALITY)|$(FONT)|$(CLAIMS)

## Targets
.PHONY: all figures videos preview proof worksheet diff watch test test-all fuzz lint check bench stale clean help FORCE
all: figures videos
## all       figures and films (what `make` alone does)
figures: $(call path,$(STATE)/figures.made)
## figures   every figure, in output/figures; one alone by its path: make output/figures/step7_context.pdf
videos: $(call path,$(STATE)/videos.made)
## videos    every film, in output/videos; one alone by its path: make output/videos/step7_context.mp4
preview:
## preview   the films small and fast, in output/preview/videos
	@$(MAKE) videos QUALITY=low OUTPUT="$$ATTN_OUTPUT/preview"
test: lint
## test      style, and all tests
	@$(RUN) pytest -n auto --dist loadscope $(PYTEST)
test-all: lint
## test-all  those too that need TeX, another font or much time; installs what it needs where it may
	@$(call script,.ci/extras) $(VENV)
	@$(RUN) pytest -n auto --dist loadscope -m "slow or not slow" $(PYTEST)
fuzz: $(READY)
## fuzz      weights files that were tampered with, CASES=100000 of them
	@$(RUN) tests.fuzz $$ATTN_CASES
lint: $(READY)
## lint      style alone
	@$(RUN) ruff check --quiet .
proof worksheet: $(READY)
## proof     a sheet of all figures: at print size, in grey, as colour-blind eyes see them
## worksheet the figures without what is computed, to fill in with a pencil, and a sheet of answers
	@$(RUN) attn.cli $@
diff: $(READY)
## diff      what weights change: make diff OLD=a.toml NEW=b.toml, a sheet of before and after (output/diff.pdf, .png)
	@$(if $(OLD),,$(error make diff needs OLD=a.toml; NEW= is WEIGHTS if left out))$(RUN) attn.cli diff -- "$$ATTN_OLD" "$$ATTN_NEW"
watch: $(READY)
## watch     makes what a change calls for whenever WEIGHTS is saved, until Ctrl-C; KINDS=figures leaves the films
	@$(RUN) attn.cli watch $$ATTN_KINDS
check: $(READY)
## check     the claims that the pictures make and the sentences expected of WEIGHTS, a line each
	@$(RUN) attn.cli check -- "$$ATTN_WEIGHTS"
bench: $(READY)
## bench     how long things take; less of it, and once: make bench BENCH=--quick
	@$(RUN) tests.bench $(BENCH)
stale: $(READY)
## stale     names files in OUTPUT that no figure or film makes any more
	@$(RUN) attn.cli stale
MADE := pdf svg png mp4 gif webm mov srt vtt json
clean:
## clean     removes what was made, and nothing else
	@if [ -e "$$ATTN_OUTPUT/preview/.state" ]; then $(MAKE) clean OUTPUT="$$ATTN_OUTPUT/preview"; fi
	@if [ -e "$$ATTN_OUTPUT/.state" ]; then set -e; cd "$$ATTN_OUTPUT"; \
	for note in .state/figures/*.json .state/videos/*.json; do made=$${note#.state/}; \
	    for e in $(MADE); do rm -f "$${made%.json}.$$e"; done; \
	done; \
	rm -f figures/captions.* figures/.*.part videos/.*.part numbers.tex numbers.json lookup.json; \
	rm -rf .state proof.pdf worksheet.pdf answers.pdf diff.pdf diff.png; \
	rmdir figures videos preview 2>/dev/null || :; fi
help:
## help      this
	@sed -n 's/^## //p' Makefile

# A set of assets is up to date when nothing it is made of is newer than its stamp, and the stamp holds these settings
# and this very weights file. A folder is newer when a file in it was added, removed or renamed.
old = $(filter 3.% 4.0 4.1,$(MAKE_VERSION))#  makes that cannot read files; they start the check each time
read = $(if $(old)$(wildcard $(path)/.),,$(if $(wildcard $(path)),$(file <$1)))
define now
$(ATTN_SETTINGS)
$(call read,$(WEIGHTS))
endef
marked = $(subst :;,$(space),$(subst $(space),:_,$(subst :,:;,$1)))#  paths parted by colons, blanks in them as :_
FONTS := $(foreach f,$(call marked,$(FONT)),$(call found,$(subst :_,$(space),$f)))
COMMON := attn/ attn/weights/ $(wildcard attn/*.py attn/weights/*.toml) .constraints.txt $(READY) $(call found,$(WEIGHTS)) $(FONTS)
$(call path,$(STATE)/figures.made): figures/ $(wildcard figures/*.py) $(COMMON) $(call found,$(OUTPUT)/figures)
	@$(RUN) attn.cli figure
$(call path,$(STATE)/videos.made): scenes/ $(wildcard scenes/*.py) $(COMMON) $(call found,$(OUTPUT)/videos)
	@$(RUN) attn.cli video
ifneq ($(call read,$(STATE)/figures.made),$(now))
$(call path,$(STATE)/figures.made): FORCE
endif
ifneq ($(call read,$(STATE)/videos.made),$(now))
$(call path,$(STATE)/videos.made): FORCE
endif

# One asset by the path of any of its files; the texts come with all figures.
$(addprefix $(call path,$(OUTPUT))/,numbers.tex numbers.json): FORCE $(READY)
	@$(RUN) attn.cli figure
named = $(or $(filter $1,$(subst $(comma), ,$(FORMATS))),$2)#  of $1, the formats that are named, or $2
$(foreach e,$(call named,pdf svg png,pdf svg png) json,$(call path,$(OUTPUT))/figures/%.$e): FORCE $(READY)
	@$(RUN) attn.cli figure '$(notdir $*)'
FILMS := $(call named,mp4 gif webm mov,mp4) $(if $(TRANSPARENT),mov)
$(foreach e,$(sort $(FILMS)) srt vtt png json,$(call path,$(OUTPUT))/videos/%.$e): FORCE $(READY)
	@$(RUN) attn.cli video '$(notdir $*)'
FORCE:

$(READY): pyproject.toml .constraints.txt $(if $(realpath $(VENV)/bin/python),,FORCE)
	@$(call script,.ci/setup) $(VENV) "$$ATTN_PYTHON"
