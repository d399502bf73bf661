"""A story of one's own: what `attn new` understands, what it refuses, and that it is met."""

import pytest
from click.testing import CliRunner

from attn.cli import main
from attn.core import claims, weights
from attn.core.model import WeightsError
from attn.lab import new
from attn.lab.fit import Search
from attn.lab.wishes import wishes

GIVEN = ("we open the bank", "of", "account", ("the river bank = of",), ("open",))
COMMAND = [GIVEN[0], "--alone", "of", "--after", "account", "--like", GIVEN[3][0], "--because", "open"]


def run(*args):
    return CliRunner().invoke(main, ["new", *map(str, args)])


def test_a_wish_is_a_file_that_can_be_read_again():
    model = new.model(new.wish(*GIVEN))
    assert model.story.sentence == ("we", "open", "the", "bank") and model.story.origin == "of"
    assert model.story.contrast == (("bank",), model.story.sentence, ("the", "river", "bank"))
    assert [entry.attends for entry in model.expect] == [(), ("open",), ()]
    assert set(model.vocabulary) == {"we", "open", "the", "bank", "river", "of", "account"}
    assert weights.read(weights.dumps(model), parameters_required=False).expect == model.expect
    assert Search(model, wishes(model), 0.5, None).named.sum() == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({0: " "}, "SENTENCE"), ({3: ("the river bank",)}, "--like"), ({3: ("= of",)}, "--like"),
        ({4: ("closed",)}, '"closed" is not in the sentence'), ({2: "of"}, "two different words"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_named(changed, said):
    with pytest.raises(WeightsError, match=said) as error:
        new.model(new.wish(*(changed.get(i, given) for i, given in enumerate(GIVEN))))
    assert "\n" not in str(error.value)


def test_what_is_missing_is_said_where_nobody_can_be_asked(tmp_path):
    for given in ([], ["a b"], ["a b", "--alone", "c"]):
        done = run(tmp_path / "mine.toml", *given)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "is missing" in done.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten_and_no_folder_made_unasked(tmp_path):
    there = tmp_path / "mine.toml"
    there.write_text("mine")
    for path, said in ((there, "--force"), (tmp_path / "no" / "mine.toml", "No such file"), (tmp_path, "directory")):
        done = run(path, *COMMAND)
        assert done.exit_code == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert there.read_text() == "mine" and list(tmp_path.iterdir()) == [there]


@pytest.mark.slow
def test_what_is_found_holds_and_attention_does_the_work(tmp_path):
    file = tmp_path / "bank.toml"
    done = run(file, *COMMAND)
    assert done.exit_code == 0, done.output
    found = claims.check(weights.load(file))
    assert {"attends", "moves most", "focus"} <= {claim.name for claim in found}
    assert all(claim.holds for claim in found) and f"make figures WEIGHTS={file}" in done.stderr
