// The virtual table: moves pieces and dice by pointer and keys, presses buttons, and shows what the stream says.

import { glide, rollDice, still } from "./motion.js";

const SILENCE_MS = 25_000; // the server writes at least every 10 s
const STEP_MM = 4;
const REACH_MM = [190, 150];
const FLING = 0.7; // mm a millisecond: a die let go faster is thrown, and all others with it
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const bench = /** @type {HTMLElement} */ (document.querySelector(".bench"));
const top_ = /** @type {SVGSVGElement} */ (document.querySelector("svg.top"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));
const gone = /** @type {HTMLElement} */ (document.getElementById("gone"));
const begin = /** @type {HTMLFormElement} */ (document.getElementById("begin"));

/** @typedef {{x: number, y: number, yaw: number, value: number}} Place */
/** @typedef {{x: number, y: number, marker: string | null}} Piece */
/** @typedef {{colour: string, x: number, y: number, yaw: number, value: number}} Die */
/** @typedef {{pieces: Piece[], dice: Die[], hand: boolean, seats: string[], sand: number[], lamps: number[],
 *   setter: number, throws: number, others: string[], waits: boolean,
 *   setter_seat: string, again?: number}} State */

/** Where each thing is drawn. @type {Map<SVGGElement, Place>} */
const places = new Map();
/** Things a person is moving: the stream leaves them alone. @type {Set<SVGGElement>} */
const held = new Set();
const things = /** @type {SVGGElement[]} */ ([...top_.querySelectorAll(".thing")]);
const dice = things.filter((thing) => thing.dataset.colour);
/** Where thrown dice come from, beyond the edge: this side where they were thrown here. */
const [NEAR, FAR] = [{ x: 40, y: 250 }, { x: -30, y: -250 }];
/** @type {{x: number, y: number} | null} */
let hand = null;

/** @param {SVGGElement} thing @param {Place} place @param {boolean} [soft] glides there */
function put(thing, place, soft) {
  places.set(thing, place);
  glide(thing, place, Boolean(soft));
  if (thing.dataset.colour) {
    thing.querySelector("use")?.setAttribute("href", `#pips-${place.value}`);
    thing.setAttribute("aria-label", `${thing.dataset.name}: ${place.value}`);
  }
}

/** What the server answers; null where it said that it could not be. @param {string} act @param {object} body */
async function post(act, body) {
  try {
    const answer = await fetch(`${bench.dataset.post}${act}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    say(answer.ok ? "" : (await answer.json()).sentence);
    return answer.ok ? answer : null;
  } catch {
    say(notice.dataset.failed ?? "");
    return null;
  }
}

/** @param {{x: number, y: number}} from beyond which edge the hand is that throws */
function throwDice(from) {
  hand = from;
  post("throw", {});
}

/** @param {SVGGElement} thing */
function sendPlace(thing) {
  const { x, y, value } = /** @type {Place} */ (places.get(thing));
  const { colour, number } = thing.dataset;
  return colour ? post("die", { colour, x, y, value }) : post("piece", { number: Number(number), x, y });
}

/** @param {string} sentence */
function say(sentence) {
  notice.textContent = sentence;
  notice.hidden = !sentence;
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.min(Math.max(value, -most), most);

/** The place under a pointer, in mm. @param {PointerEvent} event */
function under(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(top_.getScreenCTM()?.inverse());
  return { x: at.x, y: at.y };
}

/** @param {SVGGElement} thing @param {PointerEvent} event */
function drag(thing, event) {
  if (event.button || (held.has(thing) && !waiting.has(thing))) return; // it is rolling
  event.preventDefault();
  thing.parentNode?.append(thing); // on top of the others; first, because moving it would end the capture
  thing.focus({ preventScroll: true });
  thing.setPointerCapture(event.pointerId);
  const place = /** @type {Place} */ (places.get(thing));
  const from = under(event);
  const off = { x: place.x - from.x, y: place.y - from.y };
  held.add(thing);
  thing.classList.add("held");
  let moved = false;
  const flight = flightOf(from);
  /** @param {PointerEvent} move */
  const follow = (move) => {
    const at = under(move);
    moved = true;
    flight.to(at);
    put(thing, { ...place, x: within(at.x + off.x, REACH_MM[0]), y: within(at.y + off.y, REACH_MM[1]) });
  };
  /** @param {PointerEvent} end */
  const drop = async (end) => {
    thing.removeEventListener("pointermove", follow);
    thing.removeEventListener("pointerup", drop);
    thing.removeEventListener("pointercancel", drop);
    thing.classList.remove("held");
    const thrown = thing.dataset.colour && flight.speed() > FLING;
    if (end.type === "pointercancel") put(thing, place);
    else if (moved && thrown) throwDice(flight.behind());
    else if (moved && !played(thing, place)) await sendPlace(thing);
    release(thing);
  };
  thing.addEventListener("pointermove", follow);
  thing.addEventListener("pointerup", drop);
  thing.addEventListener("pointercancel", drop);
}

/** How fast, and where to, a hand moves that began at `from`. @param {{x: number, y: number}} from */
function flightOf(from) {
  let trail = [{ ...from, at: performance.now() }];
  const way = () => {
    const [first, last] = [trail[0], trail[trail.length - 1]];
    return { x: last.x - first.x, y: last.y - first.y, ms: Math.max(performance.now() - first.at, 16) };
  };
  return {
    /** @param {{x: number, y: number}} at */
    to(at) {
      const now = performance.now();
      trail = [...trail.filter((step) => now - step.at < 90), { ...at, at: now }];
    },
    speed: () => (trail.length > 2 ? Math.hypot(way().x, way().y) / way().ms : 0),
    behind() {
      const { x, y } = way();
      const far = 260 / (Math.hypot(x, y) || 1);
      return { x: -x * far, y: -y * far };
    },
  };
}

/** The letter of the field at a place; nothing beside the fields. @param {{x: number, y: number}} at */
function fieldAt(at) {
  for (const field of top_.querySelectorAll(".place")) {
    const away = Math.hypot(at.x - Number(field.getAttribute("cx")), at.y - Number(field.getAttribute("cy")));
    if (away <= Number(field.getAttribute("r"))) return field.getAttribute("data-place") ?? "";
  }
  return "";
}

/**
 * Who plays moves a piece from field to field: that is a move by the die that leads there, and is sent as one.
 * @param {SVGGElement} piece @param {Place} from where it stood
 */
function played(piece, from) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("move"));
  const now = /** @type {Place} */ (places.get(piece));
  const [start, to] = [fieldAt(from), fieldAt(now)];
  if (!form || piece.dataset.colour || !start || !to || start === to) return false;
  const pips = (to.charCodeAt(0) - start.charCodeAt(0) + 12) % 12;
  const radio = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name=from][value=${start}]`));
  const die = /** @type {HTMLButtonElement | undefined} */ (
    [...form.querySelectorAll("[name=colour]")].find((each) => each.querySelector(`[href="#pips-${pips}"]`))
  );
  put(piece, from, true); // it goes when the table has heard of it
  if (radio && die) {
    radio.checked = true;
    die.click();
  } else say(bench.dataset.noDie ?? "");
  return true;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Map<SVGGElement, number>} */
const waiting = new Map();

/** @param {SVGGElement} thing @param {KeyboardEvent} event */
function key(thing, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = /** @type {Place} */ (places.get(thing));
  const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
  const field = top_.querySelector(`[data-place="${CSS.escape(event.key.toUpperCase())}"]`);
  if (arrow) {
    const step = event.shiftKey ? 1 : STEP_MM;
    const [x, y] = [place.x + arrow[0] * step, place.y + arrow[1] * step];
    put(thing, { ...place, x: within(x, REACH_MM[0]), y: within(y, REACH_MM[1]) });
  } else if (thing.dataset.colour && /^[1-6]$/.test(event.key)) {
    put(thing, { ...place, value: Number(event.key) });
  } else if (!thing.dataset.colour && field) {
    put(thing, { ...place, x: Number(field.getAttribute("cx")), y: Number(field.getAttribute("cy")) });
  } else {
    return;
  }
  event.preventDefault();
  // Sent when the keys rest, so that a held arrow is one move.
  held.add(thing);
  clearTimeout(waiting.get(thing));
  waiting.set(thing, setTimeout(async () => {
    waiting.delete(thing);
    await sendPlace(thing);
    release(thing);
  }, 250));
}

/** Lets the table say again where a thing is, unless a key moved it meanwhile. @param {SVGGElement} thing */
function release(thing) {
  if (waiting.has(thing)) return;
  held.delete(thing);
  if (latest) arrange(latest);
}

/** Draws pieces and dice where they lie. @param {State} state */
function arrange(state) {
  if (Number(bench.dataset.throws) !== state.throws) fall(state);
  for (const thing of things) {
    if (held.has(thing)) continue;
    const { colour, number } = thing.dataset;
    if (colour) {
      const die = state.dice.find((one) => one.colour === colour);
      if (die) put(thing, die, true);
    } else {
      const piece = state.pieces[Number(number)];
      put(thing, { x: piece.x, y: piece.y, yaw: 0, value: 0 }, true);
      const plug = /** @type {SVGElement} */ (thing.querySelector(".plug"));
      plug.setAttribute("class", `plug c-${piece.marker}`);
      plug.setAttribute("opacity", piece.marker ? "1" : "0");
    }
  }
}

/** The dice were thrown: they roll to where they lie. @param {State} state */
async function fall(state) {
  bench.dataset.throws = String(state.throws);
  const from = hand ?? FAR;
  // Who throws when a round is over begins the next one; but the camera must have seen the dice move.
  if (hand && main.classList.contains("sets-up") && main.dataset.phase === "reveal")
    setTimeout(() => post("press", { button: "setter" }), 1600);
  hand = null;
  if (still()) return;
  const ends = dice.map((thing) => state.dice.find((one) => one.colour === thing.dataset.colour));
  for (const thing of dice) held.add(thing);
  await rollDice(dice, /** @type {Place[]} */ (ends), state.pieces, from);
  for (const thing of dice) held.delete(thing);
  if (latest) arrange(latest);
}

/** @param {Element | null} lamp @param {number} level */
function light(lamp, level) {
  // The eye is quick to see a little light.
  for (const part of lamp?.querySelectorAll(".glow, .lit") ?? []) part.setAttribute("opacity", String(level ** 0.6));
}

/** @param {State} state */
function panel(state) {
  document.querySelectorAll(".sandlamp").forEach((lamp, k) => light(lamp, state.sand[k] ?? 0));
  document.querySelectorAll(".seat[data-seat]").forEach((seat, k) => {
    light(seat.querySelector(".lamp"), state.lamps[k] ?? 0);
    const name = state.seats[k] ?? "";
    const link = /** @type {HTMLAnchorElement} */ (seat.querySelector("a"));
    link.textContent = name;
    link.hidden = !name;
    link.search = name ? `?${new URLSearchParams({ seat: name })}` : "";
    link.toggleAttribute("aria-current", Boolean(name) && name === bench.dataset.seat);
    seat.classList.toggle("taken", Boolean(name));
    /** @type {HTMLButtonElement} */ (seat.querySelector("button")).disabled = !name;
  });
  light(document.querySelector(".setterlamp"), state.setter);
  const own = state.seats.indexOf(bench.dataset.seat ?? "");
  main.classList.toggle("plays", own >= 0 && state.lamps[own] === 1);
  main.classList.toggle("sets-up", own >= 0 && state.setter_seat === bench.dataset.seat);
  main.classList.toggle("looks-on", state.others.includes(state.setter_seat));
  main.classList.toggle("with-others", state.others.length > 0);
  document.querySelector("[data-act=hand]")?.setAttribute("aria-pressed", String(state.hand));
  document.querySelector("[data-act=let]")?.setAttribute("aria-checked", String(state.others.length > 0));
  /** @type {HTMLElement} */ (document.querySelector("[data-act=hurry]")).hidden = !state.waits;
}

/** @type {EventSource | null} */
let source = null;
/** @type {State | null} */
let latest = null;
let watchdog = 0;
let again = 0;

function connect() {
  source?.close();
  clearTimeout(again);
  source = new EventSource(/** @type {string} */ (bench.dataset.events));
  source.addEventListener("state", (event) => {
    gone.hidden = true;
    watch();
    const state = /** @type {State} */ (JSON.parse(event.data));
    latest = state;
    arrange(state);
    panel(state);
    if (state.again) later(1000 * state.again); // more pages than streams
  });
  source.addEventListener("error", lost);
  watch();
}

function watch() {
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, SILENCE_MS);
}

function lost() {
  gone.hidden = false;
  later(2000);
}

/** @param {number} ms */
function later(ms) {
  source?.close();
  clearTimeout(again);
  again = setTimeout(connect, ms);
}

for (const thing of things) {
  const [x, y, yaw] = (thing.getAttribute("transform")?.match(/-?[\d.]+/g) ?? []).map(Number);
  const value = Number(thing.querySelector("use")?.getAttribute("href")?.replace("#pips-", "")) || 0;
  places.set(thing, { x, y, yaw: yaw ?? 0, value });
  thing.addEventListener("pointerdown", (event) => drag(thing, event));
  thing.addEventListener("keydown", (event) => key(thing, event));
}
/** The button of the panel that a finger holds down. @type {string | undefined} */
let pushed;
let pressing = Promise.resolve();
/** Presses and lets go in the order in which the finger did. @param {boolean} down */
function finger(down) {
  const button = pushed;
  if (button) pressing = pressing.then(() => post("press", { button, down }));
}
document.addEventListener("pointerdown", (event) => {
  const button = /** @type {Element} */ (event.target).closest("button");
  pushed = button?.disabled ? undefined : button?.dataset.press;
  finger(true);
});
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () => {
    finger(false);
    pushed = undefined;
  });
/** What a button of the bench does. @type {Record<string, (button: HTMLButtonElement) => void>} */
const ACTS = {
  hand: (button) => post("hand", { on: button.getAttribute("aria-pressed") !== "true" }),
  let: (button) => post("let", { on: button.getAttribute("aria-checked") !== "true", person: bench.dataset.seat }),
  throw: () => throwDice(NEAR),
  own: (button) => button.setAttribute("aria-expanded", String(main.classList.toggle("own"))),
};
begin.addEventListener("submit", async (event) => {
  event.preventDefault();
  event.stopPropagation();
  const [said, usual] = [new FormData(begin), event.submitter?.dataset.others];
  const others = usual ? usual.split(" ") : said.getAll("other");
  const answer = await post("begin", { person: said.get("person"), others });
  if (answer) location.assign((await answer.json()).page);
});
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a");
  // A seat's page is shown here too, below the table.
  if (link && link.pathname === bench.dataset.page && !link.target) link.pathname = location.pathname;
  const button = /** @type {Element} */ (event.target).closest("button");
  // A finger's press is on its way already; a key has only this.
  if (button?.dataset.press && event.detail === 0) post("press", { button: button.dataset.press });
  const act = button?.dataset.act;
  if (button && act) (ACTS[act] ?? (() => post(act, {})))(button);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) connect();
});
window.addEventListener("online", connect);
window.addEventListener("offline", lost);
connect();
