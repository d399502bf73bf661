"""The web page in a browser: keys, links, films, the space that turns, and nothing amiss. Chromium drives it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from tests.building import FILM, Project

pytestmark = pytest.mark.slow
playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
STEPS = "step3_scores", "step4_softmax", "step7_context", "summary"
WIDTHS = 360, 768, 1440
LANDED = "() => !document.querySelector('main > section:not([hidden]) video').paused"


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    """Where a page stands that has steps with figures and short films."""
    films = {f"scenes/{name}.py": FILM for name in STEPS[1:3]}
    project = Project(tmp_path_factory.mktemp("a page"), STEPS, films)
    project.make("page", FORMATS="svg mp4")
    return (project.folder / "output" / "page" / "index.html").as_uri()


@pytest.fixture(scope="module")
def chromium() -> Iterator:
    if not CHROMIUM:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, address):
    """Opens the page at a place with settings of one's own; nothing may be said in the console or asked elsewhere."""
    amiss, folder = [], address.rpartition("/")[0]

    def look(place="", **settings):
        page = chromium.new_context(**settings).new_page()
        page.on("console", lambda message: amiss.append(message.text))
        page.on("pageerror", lambda error: amiss.append(str(error)))
        page.on("request", lambda asked: amiss.append(asked.url) if not asked.url.startswith((folder, "data:,")) else 0)
        page.on("requestfailed", lambda asked: amiss.append(asked.url) if "ABORTED" not in asked.failure else 0)
        page.goto(address + place)
        return page

    yield look
    assert not amiss


def all_steps(page) -> list[str]:
    return page.eval_on_selector_all("main > section", "found => found.map(one => one.id)")


def shown(page) -> list[str]:
    return page.eval_on_selector_all("main > section:not([hidden])", "found => found.map(one => one.id)")


def test_each_step_is_reached_by_key_and_by_link(opened):
    page = opened()
    order = all_steps(page)
    assert shown(page) == order[:1]
    for step in order[1:]:
        page.keyboard.press("ArrowRight")
        assert shown(page) == [step] and page.url.endswith(f"#{step}")
        assert page.evaluate("document.activeElement.textContent") in page.title()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == order[-2:-1]
    for step in order:
        if number := re.fullmatch(r"step(\d)", step):
            page.keyboard.press(number[1])
            assert shown(page) == [step]
        page.click(f"nav a[href='#{step}']")
        assert shown(page) == [step]
        assert page.get_attribute(f"nav a[href='#{step}']", "aria-current") == "step"
        assert shown(opened(f"#{step}")) == [step]
    page.go_back()
    assert shown(page) != order[-1:]


def test_keys_can_be_turned_off(opened):
    page = opened("#step3")
    page.click("#settings summary")
    page.uncheck("#keys")
    page.click("h1")
    page.keyboard.press("4")
    assert shown(page) == ["step3"]


def test_films_play_and_pause_with_captions_and_never_by_themselves(opened):
    page = opened("#step4")
    assert page.evaluate("[...document.querySelectorAll('video')].every(video => video.paused)")
    page.keyboard.press("Space")
    page.wait_for_function(LANDED)
    page.wait_for_function("document.querySelector('#step4 video').currentTime > 0")
    assert page.evaluate("document.querySelector('#step4 video').textTracks[0].activeCues[0].text")
    page.keyboard.press("7")
    page.wait_for_function("document.querySelector('#step4 video').paused")


def test_the_space_is_turned_by_pointer_keys_and_buttons_and_turned_back_by_one_key(opened):
    page = opened("#step7", viewport={"width": 1280, "height": 2000})
    space, drawn = page.locator("#step7 .turned"), lambda: page.inner_html("#step7 .turned")
    first = drawn()
    assert first.count("<text") >= 3
    box = space.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 120, steps=3)
    page.mouse.up()
    assert drawn() != first
    space.focus()
    page.keyboard.press("Home")
    assert drawn() == first and shown(page) == ["step7"]
    for key in ("ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        assert drawn() != first
        page.keyboard.press("Home")
    for way in ("left", "right", "up", "down"):
        page.click(f"#step7 [data-turn={way}]")
        assert drawn() != first
        page.click("#step7 [data-turn=back]")
        assert drawn() == first
    assert "NaN" not in first


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(opened, width, scheme):
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "preload": False}
    for step in ("step4", "step7", "summary"):
        page = opened(
            f"#{step}", viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        page.eval_on_selector_all("details", "found => found.forEach(one => one.open = true)")
        found = axe.Axe().run(page, options=rules).response["violations"]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.getAnimations().length") == 0


def test_a_finger_turns_pages(opened):
    page = opened("#step4", viewport={"width": 360, "height": 800}, has_touch=True)
    swipe = """([from, to]) => {
        const target = document.querySelector("#step4 h2");
        const at = (x) => [new Touch({ identifier: 1, target, clientX: x, clientY: 300 })];
        target.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: at(from) }));
        target.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: at(to) }));
    }"""
    order = all_steps(page)
    for way, to, lands in (("too short", 280, 0), ("on", 100, 1)):
        page.evaluate(swipe, [300, to])
        assert shown(page) == [order[order.index("step4") + lands]], way


def test_watched_it_comes_anew_when_it_is_made_anew(opened, address):
    stamp = Path(unquote(urlparse(address).path)).with_name("made.js")
    before = stamp.read_bytes()
    page = opened("?watch#step4")
    try:
        page.wait_for_function("seen")
        page.evaluate("document.body.dataset.old = 1")
        stamp.write_text('made("another");')
        page.wait_for_function("!document.body.dataset.old")
        assert shown(page) == ["step4"]
    finally:
        stamp.write_bytes(before)


def test_all_steps_are_printed(opened):
    page = opened("#step4")
    page.emulate_media(media="print")
    for step in all_steps(page):
        assert page.locator(f"#{step} figure img").bounding_box()["height"] > 0
    assert not page.locator("video:visible, nav:visible, button:visible").count()


def test_without_scripts_all_steps_are_there_and_films_have_controls(chromium, address):
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(address)
    assert page.locator("main > section:visible").count() == len(STEPS)
    assert page.locator("video[controls]:visible").count() == 2
