"""What films cost, and what they are worth: python -m tests.bench_films [--quick] [NAME]...

All films of the story at 1920 x 1080 and 60 frames a second, as `make videos` makes them on all cores, beside
- stock: the same scene classes through manim's own renderer, camera and file writer, one after the other, cache off;
- encode: the same pictures, every one of them, from RGBA through our encoder's settings and nothing else, on as many
  cores.
Then the memory of one render, and of a film three times as long; and decoded frames beside the undisturbed drawing.
The runs take turns, so that a busy moment hits all alike; of their times the median counts. --quick: two films, once.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from statistics import median

import av
import manim
import numpy as np
from manim.camera.camera import Camera
from manim.renderer.cairo_renderer import CairoRenderer

from attn.build.assets import ROOT, steps
from attn.build.film import scene_of
from attn.core import weights
from attn.core.reading import Reading
from attn.picture.drawn import picture
from scenes._kit import encoder
from scenes._kit.encoder import Picture, VideoReformatter, converted, cut
from scenes._kit.render import QUALITY, Renderer, settings, shoot

YOU = ROOT / "attn" / "weights" / "you.toml"
SIZE = QUALITY["high"]
RUNS, SAMPLES, QUICK = 3, 12, ("step4_softmax", "step7_context")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
BLOCK = 16  # pixels; a block of the drawing that has one colour throughout must come back with one


def lines(names: list[str], runs: int) -> list[str]:
    """The table; each line a measurement with what is wanted of it."""
    ours, stock, encode, x264 = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for run in range(runs):
            output = Path(folder, f"ours{run}")
            ours.append(_seconds("attn.cli", "video", *names, "--output", str(output), "--weights", str(YOU)))
            stock.append(sum(_seconds("tests.bench_films", "stock", name, folder) for name in names))
            films = [output / "videos" / f"{name}.mp4" for name in names]
            told = [_told("encode", str(film)) for film in films]
            encode.append(_spread([sum(one) for one in told]))
            x264.append(_spread([one[1] for one in told]))
        memory = [_told("memory", names[0], str(times)) for times in (1, 3)]
        found = [_told("quality", name, str(film)) for name, film in zip(names, films, strict=True)]
    ratios = [median(a / b for a, b in zip(ours, others, strict=True)) for others in (stock, encode)]
    return [
        f"films: {', '.join(names)}; 1920x1080, 60 frames a second; {CORES} cores; {runs} run(s)",
        f"{'':34} {'median':>9}   wanted",
        f"{'ours, s':34} {median(ours):9.1f}",
        f"{'stock manim, s':34} {median(stock):9.1f}",
        f"{'encoding alone, s':34} {median(encode):9.1f}   of which x264 {median(x264):.1f}, the rest RGBA to YUV",
        f"{'ours / stock':34} {ratios[0]:9.3f}   at most {0.25 if CORES <= 2 else 0.5 / CORES:.2f}",
        f"{'ours / encode':34} {ratios[1]:9.3f}   at most 1.5",
        f"{'memory of one render, MB':34} {memory[0]:9.0f}   below 1000",
        f"{'memory, three times as long, MB':34} {memory[1]:9.0f}   the same",
        f"{'SSIM of decoded frames, least':34} {min(one['ssim'] for one in found):9.4f}   0.99 or more",
        f"{'a flat shade is off by, of 255':34} {max(one['flat'] for one in found):9.2f}   no bands: at most 2",
    ]


def _run(*command: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "ATTN_"))}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True
    ).stdout


def _seconds(*command: str) -> float:
    start = time.perf_counter()
    _run(*command)
    return time.perf_counter() - start


def _told(*arguments: str):
    """What one of the jobs below prints, run in a process of its own."""
    return json.loads(_run("tests.bench_films", *arguments).splitlines()[-1])


def _spread(times: list[float]) -> float:
    """How long jobs take on all cores, the longest first."""
    cores = [0.0] * CORES
    for seconds in sorted(times, reverse=True):
        cores[cores.index(min(cores))] += seconds
    return max(cores)


# ---- jobs, each in a process of its own ---------------------------------------------------------------------------


def _scene(name: str, **options):
    return scene_of(f"scenes.{name}")(Reading(picture(weights.load(YOU))), **options)


class Stock(CairoRenderer):
    """manim's own renderer. Made without a word (for the step before, which is not drawn), it is ours."""

    def __new__(cls, drawing: bool = False):
        return super().__new__(cls) if drawing else Renderer()

    def __init__(self, drawing: bool = False):
        super().__init__()
        self.draws = False

    @property
    def frames(self) -> int:
        """What scenes._kit.stage asks its renderer for."""
        return round(self.time * self.camera.frame_rate)


def stock(name: str, folder: str) -> None:
    """One film as manim makes it."""
    with settings(*SIZE), manim.tempconfig({"dry_run": False, "write_to_movie": True, "media_dir": folder}):
        _scene(name, renderer=Stock(True)).render()


def encode(film: str) -> tuple[float, float]:
    """Seconds for converting all of a film's pictures from RGBA and for encoding them; decoding does not count."""
    converting, encoding, reformatter = 0.0, 0.0, VideoReformatter()
    with av.open(film) as source, av.open(os.devnull, "w", format="null") as container:
        stream = encoder._stream(container, *SIZE)
        for number, decoded in enumerate(source.decode(video=0)):
            pixels = decoded.to_ndarray(format="rgba")
            start = time.perf_counter()
            frame = converted(pixels, "yuv420p", reformatter)
            middle = time.perf_counter()
            frame.pts, frame.time_base, frame.pict_type = number, Fraction(1, SIZE[2]), 0
            stream.encode(frame)
            converting, encoding = converting + middle - start, encoding + time.perf_counter() - middle
    return converting, encoding


def memory(name: str, times: str) -> float:
    """Megabytes that rendering a film takes at most, the film being played `times` times over."""
    scene = scene_of(f"scenes.{name}")

    class Long(scene):
        def construct(self):
            for _ in range(int(times)):
                self.clear()
                super().construct()

    Long.__module__ = scene.__module__  # where a scene finds its texts
    trace = Reading(picture(weights.load(YOU)))
    shoot(lambda **options: Long(trace, **options), "high", "", "")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)


class Sampled(Renderer):
    """Draws only some frames, each whole, with manim's own camera."""

    def __init__(self, wanted: set[int] = frozenset()):
        super().__init__(sink=None)
        self.skip_animations = self._original_skipping_status = not wanted
        self.wanted, self.drawn = wanted, {}
        self.whole = Camera()

    def _show(self, scene, frames: int) -> None:
        for number in self.wanted.intersection(range(self.frames, self.frames + frames)):
            self.whole.background_color = scene.camera.background_color
            self.whole.reset()
            self.whole.capture_mobjects(scene.mobjects)
            self.drawn[number] = self.whole.pixel_array.copy()
        self.frames += frames


def quality(name: str, film: str) -> dict[str, float]:
    """Of some frames, decoded and drawn: the least SSIM of a plane; and bands: by how many levels the block of one
    shade that is furthest off is off as a whole.
    """
    from tests.scenes.test_film import similarity

    with av.open(film) as container:
        count = container.streams.video[0].frames
        wanted = {round(k * (count - 1) / (SAMPLES - 1)) for k in range(SAMPLES)}
        decoded = {k: _planes(frame) for k, frame in enumerate(container.decode(video=0)) if k in wanted}
    with settings(*SIZE):
        renderer = Sampled(wanted)
        _scene(name, renderer=renderer).render()
    ssim, flat = 1.0, 0.0
    for number, pixels in renderer.drawn.items():
        drawn = Picture(*SIZE[:2])
        drawn.paint([cut(pixels, (0, 0, *SIZE[:2]))])
        for a, b in zip(_planes(drawn.frame), decoded[number], strict=True):
            ssim, flat = min(ssim, similarity(a, b)), max(flat, _off(a, b))
    return {"ssim": ssim, "flat": flat}


def _planes(frame) -> list[np.ndarray]:
    return [encoder._view(plane).copy() for plane in frame.planes]


def _off(drawn: np.ndarray, decoded: np.ndarray) -> float:
    """By how many levels a block at most is off on the whole, of those whose drawing has one value throughout."""
    height, width = (n // BLOCK * BLOCK for n in drawn.shape)
    a, b = (
        plane[:height, :width].astype(int).reshape(height // BLOCK, BLOCK, -1, BLOCK).swapaxes(1, 2)
        for plane in (drawn, decoded)
    )
    flat = np.ptp(a, axis=(2, 3)) == 0
    return float(np.abs((a - b)[flat].mean(axis=(1, 2))).max(initial=0))


def chosen(arguments: list[str]) -> tuple[list[str], int]:
    """The films and the number of runs that a command line asks for."""
    quick = "--quick" in arguments
    named = [name for name in arguments if name != "--quick"]
    return named or [a.name for a in steps() if not quick or a.name in QUICK], 1 if quick else RUNS


def main() -> None:
    """Prints the table, or what one of the jobs finds."""
    jobs = {job.__name__: job for job in (stock, encode, memory, quality)}
    if sys.argv[1:] and sys.argv[1] in jobs:
        print(json.dumps(jobs[sys.argv[1]](*sys.argv[2:])))
    else:
        print(*lines(*chosen(sys.argv[1:])), sep="\n", flush=True)


if __name__ == "__main__":
    main()
