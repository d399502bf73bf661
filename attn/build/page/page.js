// One step at a time, keys, captions, pauses, and the space that turns. Without it the page shows all steps, one below
// the other. Nothing is asked of a server: what it needs stands in the page.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const SECTIONS = [...document.querySelectorAll("main > section")];
const CAPTIONS = { label: "English", language: document.documentElement.lang };
const WIDE = matchMedia("(min-width: 60rem)");
const SWIPE = 60; // pixels that a finger goes at least

// Steps

const wanted = () => SECTIONS.find((section) => `#${section.id}` === location.hash);
const current = () => SECTIONS.find((section) => !section.hidden);

function show(section) {
  for (const other of SECTIONS) {
    if (other !== section) {
      other.querySelector("video")?.pause();
      other.setAttribute("hidden", "until-found"); // a search in the page finds what it holds
    }
  }
  section.hidden = false;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${section.id}`) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  document.title = `${section.querySelector("h2").textContent} – ${document.querySelector("h1").textContent}`;
}

function go(section) {
  if (section && section !== current()) location.hash = section.id;
}

const goBy = (steps) => go(SECTIONS[SECTIONS.indexOf(current()) + steps]);

addEventListener("hashchange", () => {
  const section = wanted();
  if (!section) return;
  show(section);
  section.querySelector("h2").focus({ preventScroll: true });
  scrollTo(0, document.getElementById("main").offsetTop);
});
for (const section of SECTIONS) section.addEventListener("beforematch", () => go(section));

// Films

function play(video) {
  if (video?.paused) video.play();
  else video?.pause();
}

function prepare(section) {
  const video = section.querySelector("video");
  if (!video) return;
  const { cues, beats } = DATA.chapters[section.id];
  const track = video.addTextTrack("captions", CAPTIONS.label, CAPTIONS.language);
  for (const [start, end, text] of cues) track.addCue(new VTTCue(start, end, text));
  track.mode = "showing";
  const controls = section.querySelector(".film .controls");
  controls.hidden = false;
  for (const button of controls.querySelectorAll(".to")) {
    button.onclick = () => { video.currentTime = Number(button.dataset.time); };
  }
  if (beats.length) pauseAt(video, beats, controls.querySelector(".pauses"));
}

function pauseAt(video, beats, label) {
  const chosen = label.querySelector("input");
  let next = Infinity; // the end of the beat that is playing
  label.hidden = false;
  const aim = () => { next = beats.find((end) => end > video.currentTime + 0.05) ?? Infinity; };
  const look = () => {
    if (video.paused) return;
    if (chosen.checked && video.currentTime >= next && !video.seeking) video.pause();
    else requestAnimationFrame(look);
  };
  video.addEventListener("play", () => { aim(); look(); });
  video.addEventListener("seeked", aim);
  chosen.addEventListener("change", aim);
}

// Keys and swipes

const TAKES_KEYS = "a, button, input, summary, video, [role=application], .scroll";

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !document.getElementById("keys").checked) return;
  if (event.key === " " && !event.target.closest(TAKES_KEYS)) play(current().querySelector("video"));
  else if (/^[0-9]$/.test(event.key)) go(SECTIONS.find((section) => section.id === `step${event.key}`));
  else if (/^Arrow(Left|Right)$/.test(event.key) && !event.target.closest("video, [role=application], .scroll")) {
    goBy(event.key === "ArrowLeft" ? -1 : 1);
  } else return;
  event.preventDefault();
});

let touch = null;
addEventListener("touchstart", (event) => {
  const [finger] = event.touches;
  touch = event.touches.length === 1 && !finger.target.closest("video, .turned, .scroll") ? finger : null;
}, { passive: true });
addEventListener("touchend", (event) => {
  const [finger] = event.changedTouches;
  if (!touch) return;
  const [x, y] = [finger.clientX - touch.clientX, finger.clientY - touch.clientY];
  if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) goBy(x > 0 ? -1 : 1);
}, { passive: true });

// The space: an orthographic camera, as in figures and films (attn/picture/view.py)

const SVG = "http://www.w3.org/2000/svg";
const TURN = 10; // degrees a key turns
const DRAG = 0.4; // degrees a pixel of the pointer turns
const LETTER = 0.055, HEAD = 0.042, LINE = 0.009; // shares of the picture's width
const BITS = [0, 1, 2, 3, 4, 5, 6, 7];

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const mixed = (a, b, share) => a.map((value, i) => value + share * (b[i] - value));

function frame({ azimuth, elevation }) {
  const [a, e] = [azimuth, elevation].map((degrees) => (degrees * Math.PI) / 180);
  const [sa, ca, se, ce] = [Math.sin(a), Math.cos(a), Math.sin(e), Math.cos(e)];
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], near: [ce * ca, ce * sa, se] };
}

function hull(points) { // of points in the plane, by Andrew's monotone chain
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

class Space {
  constructor(place, arrows) {
    const { low, high, plane } = DATA.space;
    this.arrows = arrows;
    this.corners = BITS.map((bits) => low.map((value, i) => (bits & (4 >> i) ? high[i] : value)));
    this.edges = BITS.flatMap((i) => [4, 2, 1].filter((bit) => !(i & bit)).map((bit) => [i, i | bit]));
    this.middle = mixed(low, high, 0.5);
    this.size = Math.hypot(...low.map((value, i) => high[i] - value)); // the cube's diagonal, whole at every turn
    this.sides = plane && this.cut(plane);
    this.svg = place.appendChild(document.createElementNS(SVG, "svg"));
    this.svg.setAttribute("viewBox", [-0.46, -0.5, 0.92, 1].map((share) => share * this.size).join(" "));
    this.svg.setAttribute("aria-hidden", "true"); // its place says what is to be seen
    this.back();
  }

  cut({ normal, offset }) { // the cube's corners on either side of the plane, and where it meets the edges
    const side = this.corners.map((corner) => dot(normal, corner) + offset);
    const section = this.edges.filter(([a, b]) => side[a] * side[b] < 0)
      .map(([a, b]) => mixed(this.corners[a], this.corners[b], side[a] / (side[a] - side[b])));
    const part = (sign) => {
      const own = this.corners.filter((_, i) => sign * side[i] > 0);
      return own.length ? [...own, ...section] : [];
    };
    return { origin: part(-1), target: part(1), section };
  }

  side(name, see, taken) { // a side's word, in the lowest corner that is far from the plane
    if (!this.sides[name].length) return [];
    const away = ({ normal, offset }, point) => Math.abs(dot(normal, point) + offset) - point[2];
    const corner = this.sides[name].reduce((a, b) => (away(DATA.space.plane, b) > away(DATA.space.plane, a) ? b : a));
    const [x, y] = see(mixed(corner, this.middle, 0.25));
    taken.push([x, y]);
    const style = `fill: var(--${name}); text-anchor: middle`;
    const text = this.mark("text", { x, y, "font-size": LETTER * this.size, style });
    text.textContent = DATA.space.words[name];
    return [text];
  }

  back() {
    this.turn(DATA.space.azimuth, DATA.space.elevation);
  }

  by(azimuth, elevation) {
    this.turn(this.azimuth + azimuth, this.elevation + elevation);
  }

  turn(azimuth, elevation) {
    this.azimuth = azimuth;
    this.elevation = Math.max(-90, Math.min(90, elevation));
    this.draw();
  }

  draw() {
    const { right, up, near } = frame(this);
    const see = (point) => {
      const from = point.map((value, i) => value - this.middle[i]);
      return [dot(from, right), -dot(from, up), dot(from, near)];
    };
    const marks = [];
    for (const side of ["origin", "target"]) {
      const seen = this.sides ? hull(this.sides[side].map(see)) : [];
      if (seen.length) marks.push(this.area(seen, side));
    }
    const corners = this.corners.map(see);
    for (const [a, b] of this.edges) marks.push(this.line(corners[a], corners[b], "edge"));
    marks.push(...[0, 1, 2].flatMap((i) => this.axis(i, see)));
    if (this.sides?.section.length) marks.push(this.area(hull(this.sides.section.map(see)), "plane"));
    const arrows = this.arrows.map((arrow) => ({ ...arrow, start: see(arrow.from), tip: see(arrow.to) }));
    arrows.sort((a, b) => a.start[2] + a.tip[2] - b.start[2] - b.tip[2]); // what is near is drawn last
    const taken = [];
    for (const side of ["origin", "target"]) if (this.sides) marks.push(...this.side(side, see, taken));
    for (const arrow of arrows) marks.push(...this.arrow(arrow));
    for (const arrow of arrows) marks.push(this.label(arrow, see([0, 0, 0]), taken));
    this.svg.replaceChildren(...marks);
  }

  mark(name, attributes, className) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (className) made.setAttribute("class", className);
    return made;
  }

  area(points, className) {
    return this.mark("polygon", { points: points.map(([x, y]) => `${x},${y}`).join(" ") }, className);
  }

  line([x1, y1], [x2, y2], className) {
    return this.mark("line", { x1, y1, x2, y2 }, className);
  }

  axis(i, see) { // through the origin, from face to face
    const at = (value) => see([0, 1, 2].map((j) => (i === j ? value : 0)));
    const [start, end] = [at(DATA.space.low[i]), at(DATA.space.high[i])], style = "fill: var(--muted); text-anchor: middle";
    const name = this.mark("text", { x: end[0], y: end[1], "font-size": 0.7 * LETTER * this.size, style });
    name.textContent = DATA.space.axes[i];
    return [this.line(start, end, "axis"), name];
  }

  arrow({ start, tip, colour, dash }) {
    const width = LINE * this.size, head = HEAD * this.size;
    const [x, y] = [tip[0] - start[0], tip[1] - start[1]], length = Math.hypot(x, y);
    if (length < width) { // seen from its end, or of length 0
      return [this.mark("circle", { cx: tip[0], cy: tip[1], r: width, style: `fill: var(${colour})` })];
    }
    const [dx, dy] = [x / length, y / length], size = Math.min(head, length), foot = [tip[0] - size * dx, tip[1] - size * dy];
    const line = this.line(start, foot, "arrow");
    line.setAttribute("stroke-dasharray", dash.map((part) => part * width).join(" "));
    line.setAttribute("style", `stroke: var(${colour}); stroke-width: ${width}`);
    if (dash[0] < 1) line.setAttribute("stroke-linecap", "round");
    const wing = [-0.45 * size * dy, 0.45 * size * dx];
    const tipped = this.area([tip, [foot[0] + wing[0], foot[1] + wing[1]], [foot[0] - wing[0], foot[1] - wing[1]]]);
    tipped.setAttribute("style", `fill: var(${colour})`);
    return [line, tipped];
  }

  label({ from, start, tip, colour, letter, word }, zero, taken) { // off the labels that stand already
    const size = LETTER * this.size, way = [tip[0] - start[0], tip[1] - start[1]], length = Math.hypot(...way) || 1;
    const [dx, dy] = way.map((part) => part / length), further = from.some(Boolean); // one that goes on from another's tip
    const outside = (tip[0] - zero[0]) * dy - (tip[1] - zero[1]) * dx < 0 ? -size : size;
    const [along, across] = further ? [-length / 2, outside] : [0.4 * size, 0];
    const x = tip[0] + along * dx + across * dy;
    let y = tip[1] + along * dy - across * dx + (0.3 + 0.4 * dy * !further) * size;
    const anchor = further || Math.abs(dx) < 0.6 ? "middle" : dx < 0 ? "end" : "start";
    const close = () => taken.find(([a, b]) => Math.abs(a - x) < 2.2 * size && Math.abs(b - y) < size);
    for (let other = close(), tries = 0; other && tries < 9; other = close(), tries++) y = other[1] + 1.05 * size;
    taken.push([x, y]);
    const text = this.mark("text", { x, y, "font-size": size, "text-anchor": anchor, style: `fill: var(${colour})` });
    const below = this.mark("tspan", { "font-size": 0.75 * size, dy: 0.25 * size });
    below.textContent = word;
    const italic = this.mark("tspan", { "font-style": "italic" });
    italic.textContent = letter;
    text.append(italic, below);
    return text;
  }
}

const TURNS = { left: [-TURN, 0], right: [TURN, 0], up: [0, TURN], down: [0, -TURN] };

function turns(section) {
  const whole = section.querySelector(".space");
  if (!whole || !DATA.space) return;
  whole.hidden = false;
  const place = whole.querySelector(".turned");
  const space = new Space(place, DATA.chapters[section.id].arrows);
  const turn = (way) => (way in TURNS ? space.by(...TURNS[way]) : space.back());
  place.addEventListener("keydown", (event) => {
    const way = event.key.replace("Arrow", "").toLowerCase();
    if (!(way in TURNS) && event.key !== "Home") return;
    turn(way);
    event.preventDefault();
    event.stopPropagation();
  });
  for (const button of whole.querySelectorAll("[data-turn]")) button.onclick = () => turn(button.dataset.turn);
  place.addEventListener("pointerdown", (event) => place.setPointerCapture(event.pointerId));
  place.addEventListener("pointermove", (event) => {
    if (place.hasPointerCapture(event.pointerId)) space.by(-DRAG * event.movementX, DRAG * event.movementY);
  });
}

// Watched, index.html?watch: it comes anew when it is made anew (attn watch)

const GLANCE = 1000; // milliseconds between looks

function look() {
  const stamp = document.createElement("script");
  stamp.onload = stamp.onerror = () => {
    stamp.remove();
    setTimeout(look, GLANCE);
  };
  stamp.src = `made.js?${Date.now()}`;
  document.head.append(stamp);
}
let seen;
function made(digest) {
  if (seen && seen !== digest) location.reload();
  seen = digest;
}
if (location.search === "?watch") look();

// Begin

document.documentElement.classList.add("script");
document.getElementById("settings").hidden = false;
const steps = document.getElementById("steps");
const unfold = () => { steps.open = WIDE.matches; };
WIDE.addEventListener("change", unfold);
unfold();
for (const section of SECTIONS) {
  prepare(section);
  turns(section);
}
show(wanted() ?? SECTIONS[0]);
