"""Set-up with a stub for Python: what it does when nothing, something or everything goes wrong. Installs nothing."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from attn.build.assets import ROOT
from tests.building import heard

# Of Python it knows what set-up asks for: a venv is a folder with itself in it, and pip does what STUB_DOES says.
PYTHON = f"""#!/bin/sh
case "$*" in
    *setpgid* | *" - "*) exec "{sys.executable}" "$@" ;;
    *"-m venv"*) for to; do :; done; mkdir -p "$to/bin"; cp "$0" "$to/bin/python" ;;
    *"-m pip"*)
        env >pip-environment
        echo "Building wheel for a package"
        eval "$STUB_DOES"
        printf '#!/bin/sh\\n: "%s/.venv.new/bin/python"\\n' "$PWD" >.venv.new/bin/attn; chmod +x .venv.new/bin/attn ;;
esac
"""


class Checkout:
    """A copy of what set-up depends on, and programs of our own in front of the system's."""

    def __init__(self, folder: Path):
        self.folder, self.venv = folder / "a checkout", folder / "a checkout" / ".venv"
        self.programs = folder / "programs"
        shutil.copytree(ROOT / ".ci", self.folder / ".ci")
        for name in ("Makefile", "pyproject.toml", ".constraints.txt"):
            shutil.copy(ROOT / name, self.folder)
        self.programs.mkdir()
        for name in ("cc", "pkg-config"):
            self.program(name, "#!/bin/sh\n")
        self.program("python", PYTHON)

    def program(self, name: str, text: str):
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def edit(self, name: str, old: str, new: str):
        text = (self.folder / name).read_text()
        assert old in text
        (self.folder / name).write_text(text.replace(old, new))
        os.utime(self.folder / name, (1e9, 1e9))  # content decides, not time

    def start(self, pip: str = "", pass_fds=(), **surroundings) -> subprocess.Popen:
        environment = os.environ | {"PATH": f"{self.programs}:{os.environ['PATH']}", "STUB_DOES": pip} | surroundings
        return subprocess.Popen(["make", ".venv/.ready", f"PYTHON={self.programs / 'python'}"], cwd=self.folder,
                                env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True, pass_fds=pass_fds)  # fmt: skip

    def set_up(self, pip: str = "", **surroundings) -> tuple[int, list[str]]:
        """The exit code, and what was said in the project's name."""
        process = self.start(pip, **surroundings)
        err = process.communicate()[1]
        return process.returncode, [line for line in err.splitlines() if line.startswith("attn: ")]

    def state(self) -> dict[str, tuple[bytes, int]]:
        """Content and number on the disk of all that was set up, however it is called."""
        files = (path for path in self.folder.rglob("*") if ".venv" in str(path) and path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_ino) for path in files}


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    made = Checkout(tmp_path)
    assert made.set_up() == (0, ["attn: setting up .venv with the pinned packages (once, some minutes)"])
    return made


def test_what_stands_is_of_its_own_folder(checkout):
    assert (checkout.venv / "bin" / "attn").read_text() == f'#!/bin/sh\n: "{checkout.venv}/bin/python"\n'
    assert sorted(path.name for path in checkout.folder.glob(".venv*")) == [".venv"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pyproject.toml", "", ""), (".constraints.txt", "", ""), (".constraints.txt", "# The exact", "# Very exact"),
        ("pyproject.toml", "line-length = 120", "line-length = 99"), ("pyproject.toml", "\n", "\r\n"),
    ],
)  # fmt: skip
def test_what_leaves_the_packages_as_they_are_needs_no_network(checkout, name, old, new):
    before = checkout.state()
    checkout.edit(name, old, new)
    assert checkout.set_up("exit 1") == (0, [])
    assert checkout.state() == before


PINS = ("numpy==", "numpy==1")


def test_a_working_one_stays_where_the_new_one_fails(checkout):
    before = checkout.state()
    checkout.edit(".constraints.txt", *PINS)
    for pip in ("echo 'ERROR: no network'; exit 1", "echo 'ERROR: no network'; exit 1", "rm -r .venv.new; exit 0"):
        code, said = checkout.set_up(pip)
        assert code == 2 and len(said) == 2 and ".venv stays as it was" in said[1]
        (checkout.folder / ".venv.log").unlink()
        assert checkout.state() == before
    assert checkout.set_up("echo 'ERROR: no network'; exit 1")[1][1].startswith(
        "attn: packages could not be installed: ERROR: no network"
    )
    assert checkout.set_up()[0] == 0
    assert checkout.state().keys() == before.keys() and checkout.state() != before


def test_one_that_does_not_start_any_more_is_made_anew(checkout):
    (checkout.venv / "bin" / "python").unlink()
    (checkout.venv / "bin" / "python").symlink_to("/gone/python")
    code, said = checkout.set_up()
    assert code == 0 and len(said) == 1
    assert not (checkout.venv / "bin" / "python").is_symlink()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_broken_off_it_says_so_and_leaves_all_as_it_was(checkout, number):
    before = checkout.state()
    checkout.edit(".constraints.txt", *PINS)
    alive, held = os.pipe()
    process = checkout.start(f"echo pip runs >/dev/fd/{held}; sleep inf", pass_fds=[held])
    os.close(held)
    assert os.read(alive, 100) == b"pip runs\n"
    os.killpg(process.pid, number)
    _, err = process.communicate()
    assert os.read(alive, 100) == b"", "pip has ended"
    os.close(alive)
    assert f"attn: stopped ({number.name})\n" in err and process.returncode
    (checkout.folder / ".venv.log").unlink()
    assert checkout.state() == before


def test_it_says_how_far_it_is_again_and_again(checkout):
    """With a clock that runs as fast as it can."""
    checkout.program("sleep", "#!/bin/sh\n")
    checkout.edit(".constraints.txt", *PINS)
    wait, goes_on = os.pipe()
    process, said = checkout.start(f"echo more; read on </dev/fd/{wait}", pass_fds=[wait]), []
    os.close(wait)
    assert heard(process, "attn: packages: more", said) and heard(process, "attn: packages: more", said)
    os.write(goes_on, b"\n")
    os.close(goes_on)
    said += process.communicate()[1].splitlines(keepends=True)
    assert process.returncode == 0
    known = ("setting up .venv with the pinned packages (once, some minutes)", "a new .venv: begun", "packages: begun",
             "packages: Building wheel for a package", "packages: more")  # fmt: skip
    assert {line for line in said if line.startswith("attn: ")} <= {f"attn: {line}\n" for line in known}


def test_what_is_set_for_other_pythons_does_not_matter(checkout):
    (checkout.folder / ".venv" / ".ready").write_text("")
    strange = {name: "/nowhere" for name in ("PIP_TARGET", "PIP_PREFIX", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")}
    kept = {"PIP_INDEX_URL": "https://mirror.example/simple", "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/some/pip.conf"}
    assert checkout.set_up(**strange, **kept, PIP_USER="1", PIP_NO_DEPS="1")[0] == 0
    found = dict(line.partition("=")[::2] for line in (checkout.folder / "pip-environment").read_text().splitlines())
    assert not strange.keys() & found.keys() and found["PIP_USER"] == "0" and "PIP_NO_DEPS" not in found
    assert kept.items() <= found.items()


def test_other_line_ends_and_no_run_bits_do_not_matter(tmp_path):
    checkout = Checkout(tmp_path)
    for path in (*(checkout.folder / ".ci").iterdir(), checkout.folder / "Makefile"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        path.chmod(0o644)
    assert checkout.set_up()[0] == 0


def test_git_gives_the_line_ends_that_the_shell_and_make_know(tmp_path):
    """In a clone made where git turns all line ends into those of Windows."""
    if not shutil.which("git"):
        pytest.skip("no git")
    quiet = {"cwd": tmp_path, "check": True, "capture_output": True}
    for name in (".gitattributes", "Makefile"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    text = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    subprocess.run(["git", "init", "-q"], **quiet)
    subprocess.run(["git", "config", "core.autocrlf", "true"], **quiet)
    subprocess.run(["git", "add", "."], **quiet)
    for path in text:
        path.unlink()
    subprocess.run(["git", "checkout", "."], **quiet)
    assert {path: path.read_bytes() for path in text} == text and b"\r" not in b"".join(text.values())
