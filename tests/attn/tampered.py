"""Weights files that were tampered with, for hypothesis: letters, keys, shapes, types, numbers and bytes."""

import json
import tomllib

from hypothesis import strategies as st

from tests.attn.random_models import CASES

ORIGINAL = (CASES / "reference.toml").read_bytes()
TEXT = ORIGINAL.decode()
CONTENT = tomllib.loads(TEXT) | {"view": {"azimuth": 3.0}}
SNIPPETS = ["", "", ".", ",", "[", "]", '"', "=", "-", "e9", "0", " ", "\n", "\r", "\x00", "é", "\u202e", "𓂀", "#"]
NUMBERS = ["1e308", "-1e308", "1e-320", "1e999", "nan", "inf", "0", "-0.0", "1_0", "0x7fff", "9" * 400, "1" * 5000]
KEYS = st.sampled_from(["sentence", "next", "from", "to", "mask", "x"])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, 1e308, -1e308, 5e-324, 2**63])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["why", "here", "you you", "w" * 500])
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
WAYS = ["replace", "replace", "delete", "double", "rename", "turn", "scale"]


def places(value, path=()):
    """The path to everything inside nested tables and lists."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


@st.composite
def texts(draw) -> bytes:
    """The reference file, a few stretches of which are something else."""
    text = TEXT
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 1, 2, 10, 200])))
        new = draw(st.sampled_from(SNIPPETS) | st.sampled_from(NUMBERS) | st.text(max_size=3))
        text = text[:start] + new + text[end:]
    return text.encode("utf-8", "surrogatepass")


@st.composite
def contents(draw) -> bytes:
    """The reference's content as JSON, a few places of which are of another kind, shape, size or name."""
    content = json.loads(json.dumps(CONTENT))
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from([p for p in places(content) if p]))
        holder = content
        for key in path[:-1]:
            holder = holder[key]
        _tamper(draw, holder, path[-1])
    return json.dumps(content).encode()


def _tamper(draw, holder, key) -> None:
    value, way = holder[key], draw(st.sampled_from(WAYS))
    if way == "replace":
        holder[key] = draw(VALUES)
    elif way == "delete":
        del holder[key]
    elif way == "double" and isinstance(holder, list):
        holder.append(value)
    elif way == "rename" and isinstance(holder, dict):
        holder[draw(st.sampled_from([key.swapcase(), key + "s", key[1:]]))] = holder.pop(key)
    elif way == "turn" and isinstance(value, list):
        rows = all(isinstance(row, list) for row in value)
        holder[key] = [list(row) for row in zip(*value, strict=False)] if rows else value[::-1]
    elif way == "scale" and isinstance(value, float):
        holder[key] = value * float(f"1e{draw(st.integers(-330, 330))}")


@st.composite
def damaged(draw) -> bytes:
    """The reference file with bytes changed, put in or cut off."""
    data = bytearray(ORIGINAL)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        data[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=2))
    return bytes(data[: draw(st.sampled_from([len(data), draw(st.integers(0, len(data)))]))])


FILES = texts() | contents() | damaged() | st.binary(max_size=60)
