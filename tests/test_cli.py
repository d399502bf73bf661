"""The commands as a user types them: what they print, and with which exit code they end."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from attn.build.assets import ROOT
from attn.cli import main
from attn.core import record, weights
from attn.core.forward import forward

YOU = str(ROOT / "attn/weights/you.toml")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def attn(*arguments, **environment):
    """Runs a command in this process."""
    return CliRunner().invoke(main, [str(a) for a in arguments], env=environment)


def run(*arguments, **environment):
    """Runs a command in a process of its own, with nothing of our environment but what it needs."""
    command = [sys.executable, "-m", "attn.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, env={"PATH": os.defpath, **environment})


def variant(tmp_path, old: str, new: str):
    """The shipped weights file with one text replaced."""
    text = Path(YOU).read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "variant.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def test_every_command_has_help_with_an_example():
    shown = attn("--help")
    assert shown.exit_code == 0
    assert not any(line.endswith("...") for line in shown.output.splitlines()[1:])  # each command in a whole sentence
    for name in main.commands:
        shown = attn(name, "--help")
        assert shown.exit_code == 0 and f"Example:  attn {name}" in shown.output


def test_trace_as_json_is_the_trace_exactly():
    found = json.loads(attn("trace", YOU, "hear why you", "--json").output)
    trace = forward(weights.load(YOU), "hear why you")
    for name in ("embeddings", "positioned", "queries", "keys", "values", "attention", "mixed", "contextual"):
        np.testing.assert_array_equal(found[name], getattr(trace, name))
    assert found["scores"][0][1] is None and found["attention"][0][1] == 0
    for name, prediction in trace.decoder.items():
        said = found["decoder"][name]
        assert said["prediction"] == prediction.word and said["tie"] == []
        assert list(said["scores"].values()) == prediction.scores.tolist()
    assert "NaN" not in json.dumps(found) and "Infinity" not in json.dumps(found)


def test_trace_as_tables_shows_every_step():
    shown = attn("trace", YOU).output
    steps = "e: embeddings", "x = e + p", "q = W_Q x", "scores", "attention", "c = W_O a", "h = x + c", "predictions"
    for step in steps:
        assert step in shown


def test_trace_adds_no_positions_where_there_are_none(tmp_path):
    file = tmp_path / "plain.toml"
    file.write_text(weights.dumps(replace(weights.load(YOU), positions=None)), encoding="utf-8")
    shown = attn("trace", file).output
    assert "\nx = e: positioned\n" in shown and "+ p" not in shown


def test_a_tie_is_said(tmp_path):
    m = weights.load(YOU)
    tied = replace(m, W_out=0 * m.W_out, b_out=0 * m.b_out, expect=(), story=None)
    file = tmp_path / "tie.toml"
    file.write_text(weights.dumps(tied), encoding="utf-8")
    assert json.loads(attn("trace", file, "you", "--json").output)["decoder"]["embedding"]["tie"] == list(m.vocabulary)
    assert "a tie of we and you" in attn("trace", file, "you").output


def test_check_says_a_line_for_each_claim_and_ends_with_1_where_one_fails(tmp_path):
    good = attn("check", YOU)
    assert good.exit_code == 0 and "FAILS" not in good.output
    bad = attn("check", variant(tmp_path, 'next = "here"', 'next = "are"'))
    assert bad.exit_code == 1 and "FAILS" in bad.output


def test_list_names_every_asset_with_what_it_shows():
    lines = attn("list").output.splitlines()
    assert any(line.startswith("figures/step7_context") for line in lines)
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines), "every asset's file begins with a line on it"


@pytest.mark.parametrize("command", [["trace"], ["check"], ["figure", "--weights"], ["video", "--weights"]])
@pytest.mark.parametrize("content", ["", "format = 1", "\x00\xff", "[", "{}", "x" * 99, None])
def test_a_refused_file_is_one_line_and_exit_code_2(tmp_path, command, content):
    file = tmp_path / "bad\nname.toml"
    if content is not None:
        file.write_text(content, encoding="latin-1")
    output = tmp_path / "output"
    done = attn(*command, file, ATTN_OUTPUT=str(output))
    assert done.exit_code == 2 and not done.stdout
    assert done.stderr.count("\n") == 1 and "name.toml" in done.stderr
    assert not output.exists()


ODD = (["fgure"], ["--nope"], ["figure", "--nope"], ["figure", "--theme", "blue"], ["figure", "--weights"], ["trace"],
       ["figure", "--formats", "jpg"], ["trace", "a", "b", "c"], ["fit", YOU, "--out", "x", "--seed", "-1"],
       ["fit", YOU, "--out", "x", "--grid", "5"], ["fit", YOU, "--out", ""], ["fit", YOU, "--out", "attn"],
       ["video", "--quality", ""], ["watch", "cats"], ["diff", "a"])  # fmt: skip


@pytest.mark.parametrize("arguments", ODD, ids=" ".join)
def test_an_odd_command_line_is_one_line_and_exit_code_2(arguments):
    done = attn(*arguments)
    assert done.exit_code == 2 and not done.stdout
    assert done.stderr.startswith("attn: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("end", ["2>&-", ">&- 2>&-", *["2>/dev/full"] * Path("/dev/full").exists()])
def test_where_nobody_listens_the_exit_code_speaks(end):
    command = f'"{sys.executable}" -m attn.cli'
    for arguments, code in (("check nowhere", 2), ("figure nothing", 2), ("stale --output /nowhere", 0)):
        for settings in ("", "LANG=C LC_ALL=C "):
            line = f"{settings}{command} {arguments} {end}"
            done = subprocess.run(line, shell=True, cwd=ROOT, capture_output=True, text=True)
            assert done.returncode == code and not done.stdout + done.stderr


def test_fit_says_what_it_found(tmp_path):
    done = attn("fit", YOU, "--out", tmp_path / "found.toml")
    assert done.exit_code == 0 and "found.toml: Every number is a multiple of 0.5." in done.stderr
    assert weights.load(tmp_path / "found.toml").d_model == 3


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("figure step7_contxt", "step7_context"), ("figure step7", "step7_context"),
        ("video STEP0", "step0_embeddings"),
        ("figure _context", "step7_context"), ("figrue", "figure"), ("fig step7_context", "figure"),
        ("chek x.toml", "check"), ("trace x.toml --jsn", "--json"), ("check x.toml --jsn", "--json"),
        ("figure --thme=dark", "--theme"), ("--vresion", "--version"), ("train --hlep", "--help"),
    ],
)  # fmt: skip
def test_an_unknown_name_command_or_option_says_which_is_meant(arguments, meant):
    done = attn(*arguments.split())
    assert done.exit_code == 2 and f'did you mean "{meant}"' in done.stderr and done.stderr.count("\n") == 1


def test_a_name_that_could_be_several_is_guessed_at_by_none():
    assert "did you mean" not in attn("figure", "step").stderr


def test_alone_it_prints_its_help():
    alone = run()
    assert alone.returncode == 0 and not alone.stderr and alone.stdout == run("--help").stdout


def test_an_unknown_word_says_which_is_meant():
    done = attn("trace", YOU, "why are yuo")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and '"you"' in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_words_are_printed_in_any_encoding(tmp_path, encoding):
    file = variant(tmp_path, "why", "wêhyЖ")
    for command in (["trace", file], ["trace", file, "--json"], ["check", file]):
        done = run(*command, PYTHONIOENCODING=encoding)
        assert done.returncode == 0 and b"Traceback" not in done.stderr
        done.stdout.decode(encoding)
    exact = json.loads(run("trace", file, "--json", PYTHONIOENCODING=encoding).stdout.decode(encoding))
    assert "wêhyЖ" in exact["tokens"]


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1", "nowhere"])
def test_no_locale_makes_a_difference(locale):
    assert run("trace", YOU, LC_ALL=locale).stdout == run("trace", YOU).stdout


def test_a_reader_that_stops_early_is_no_error():
    command = f'"{sys.executable}" -m attn.cli trace "{YOU}" --json | head -n 1'
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "{\n" and not done.stderr


def test_every_path_leads_to_its_value():
    data = record.as_dict(forward(weights.load(YOU)))
    data["odd"] = {"a.b": 1.0, '"': [2.0], "": 3.0, "ê": 4.0, "]": 5.0}

    def leaves(value, *parts):
        if isinstance(value, (dict, list)):
            for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                yield from leaves(item, *parts, key)
        else:
            yield parts, value

    found = list(leaves(data))
    assert len(found) > 200
    for parts, value in found:
        assert record.lookup(data, record.path(*parts)) is value


def test_paths_read_as_documented():
    assert record.path("parameters", "W_Q", 0, 2) == "parameters.W_Q[0][2]"
    assert record.path("decoder", "contextual", "scores", "here") == "decoder.contextual.scores.here"
    assert record.path("decoder", "contextual", "scores", "a.b") == 'decoder.contextual.scores["a.b"]'


def test_a_path_with_a_sign_is_what_comes_of_both():
    trace = forward(weights.load(YOU))
    q, k = trace.queries[2][0], trace.keys[1][0]
    for sign, value in (("*", q * k), ("-", q - k)):
        path = record.joined("queries[2][0]", sign, "keys[1][0]")
        assert path == f"queries[2][0]{sign}keys[1][0]"
        assert record.lookup(record.as_dict(trace), path) == value
    assert record.joined(None, "*", "d_k") is record.joined("d_k", "*", None) is None


NOWHERE = (
    "attention[99]", "attention.x", "nothing", "attention[", "a b", "tokens[0].x", "[", "d_k*", "*d_k", "d_k+d_k",
    "d_k*nothing", "d_k*attention[0]",
)  # fmt: skip


@pytest.mark.parametrize("where", NOWHERE)
def test_a_path_that_leads_nowhere_is_a_key_error(where):
    with pytest.raises(KeyError):
        record.lookup(record.as_dict(forward(weights.load(YOU))), where)


@pytest.mark.parametrize(
    "typed, wanted",
    [
        ("fi", "figure"),
        ("figure step4", "step4_softmax"),
        ("video --quality me", "medium"),
        ("figure --the", "--theme"),
    ],
)
def test_a_shell_completes_commands_pictures_options_and_choices(typed, wanted):
    words = {"COMP_WORDS": f"attn {typed}", "COMP_CWORD": str(len(typed.split())), "_ATTN_COMPLETE": "bash_complete"}
    said = CliRunner().invoke(main, [], prog_name="attn", env=words).output
    assert f"plain,{wanted}" in said.splitlines()
