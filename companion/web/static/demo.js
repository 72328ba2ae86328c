// The virtual table: moves pieces and dice by pointer and keys, presses buttons, and shows what the stream says.

const SILENCE_MS = 25_000; // the server writes at least every 10 s
const STEP_MM = 4;
const REACH_MM = [190, 150];
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const top_ = /** @type {SVGSVGElement} */ (document.querySelector("svg.top"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));
const gone = /** @type {HTMLElement} */ (document.getElementById("gone"));

/** @typedef {{x: number, y: number, yaw: number, value: number}} Place */
/** @typedef {{x: number, y: number, marker: string | null}} Piece */
/** @typedef {{colour: string, x: number, y: number, yaw: number, value: number}} Die */
/** @typedef {{pieces: Piece[], dice: Die[], hand: boolean, seats: string[], sand: number[], lamps: number[],
 *   setter: number, parts: Record<string, [string, string]>}} State */

/** Where each thing is drawn. @type {Map<SVGGElement, Place>} */
const places = new Map();
/** Things a person is moving: the stream leaves them alone. @type {Set<SVGGElement>} */
const held = new Set();
const things = /** @type {SVGGElement[]} */ ([...top_.querySelectorAll(".thing")]);

/** @param {SVGGElement} thing @param {Place} place */
function put(thing, place) {
  places.set(thing, place);
  const turned = thing.classList.contains("die") ? ` rotate(${place.yaw.toFixed(1)})` : "";
  thing.setAttribute("transform", `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})${turned}`);
  if (thing.dataset.colour) {
    thing.querySelector("use")?.setAttribute("href", `#pips-${place.value}`);
    thing.setAttribute("aria-label", `${thing.dataset.name}: ${place.value}`);
  }
}

/** @param {string} act @param {object} body */
async function post(act, body) {
  try {
    const answer = await fetch(`${main.dataset.post}${act}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    say(answer.ok ? "" : (await answer.json()).sentence);
  } catch {
    say(notice.dataset.failed ?? "");
  }
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
  if (event.button) return;
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
  /** @param {PointerEvent} move */
  const follow = (move) => {
    const at = under(move);
    moved = true;
    put(thing, { ...place, x: within(at.x + off.x, REACH_MM[0]), y: within(at.y + off.y, REACH_MM[1]) });
  };
  /** @param {PointerEvent} end */
  const drop = async (end) => {
    thing.removeEventListener("pointermove", follow);
    thing.removeEventListener("pointerup", drop);
    thing.removeEventListener("pointercancel", drop);
    thing.classList.remove("held");
    if (end.type === "pointercancel") put(thing, place);
    else if (moved) await sendPlace(thing);
    release(thing);
  };
  thing.addEventListener("pointermove", follow);
  thing.addEventListener("pointerup", drop);
  thing.addEventListener("pointercancel", drop);
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
  for (const thing of things) {
    if (held.has(thing)) continue;
    const { colour, number } = thing.dataset;
    if (colour) {
      const die = state.dice.find((one) => one.colour === colour);
      if (die) put(thing, die);
    } else {
      const piece = state.pieces[Number(number)];
      put(thing, { x: piece.x, y: piece.y, yaw: 0, value: 0 });
      const plug = /** @type {SVGElement} */ (thing.querySelector(".plug"));
      plug.setAttribute("class", `plug c-${piece.marker}`);
      plug.setAttribute("opacity", piece.marker ? "1" : "0");
    }
  }
}

/** @param {Element | null} lamp @param {number} level */
function light(lamp, level) {
  // The eye is quick to see a little light.
  for (const part of lamp?.querySelectorAll(".glow, .lit") ?? []) part.setAttribute("opacity", String(level ** 0.6));
}

/** @param {State} state */
function panel(state) {
  document.querySelectorAll(".sandlamp").forEach((lamp, k) => light(lamp, state.sand[k] ?? 0));
  document.querySelectorAll("[data-seat]").forEach((seat, k) => {
    light(seat.querySelector(".lamp"), state.lamps[k] ?? 0);
    const name = state.seats[k] ?? "";
    const link = /** @type {HTMLAnchorElement} */ (seat.querySelector("a"));
    link.textContent = name;
    link.hidden = !name;
    link.search = name ? `?${new URLSearchParams({ seat: name })}` : "";
    /** @type {HTMLButtonElement} */ (seat.querySelector("button")).disabled = !name;
  });
  light(document.querySelector(".setterlamp"), state.setter);
  document.querySelector("[data-act=hand]")?.setAttribute("aria-pressed", String(state.hand));
  /** @type {HTMLElement} */ (document.getElementById("unseated")).hidden = state.seats.length > 0;
}

/** Swaps the photograph once the new one is loaded. @param {Record<string, [string, string]>} parts */
async function swap(parts) {
  for (const [name, [mark, html]] of Object.entries(parts)) {
    const part = /** @type {HTMLElement | null} */ (document.querySelector(`[data-part="${name}"]`));
    if (!part || part.dataset.mark === mark) continue;
    part.dataset.mark = mark;
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    const picture = fresh.content.querySelector("image");
    if (picture) {
      const image = new Image();
      image.src = picture.getAttribute("href") ?? "";
      await image.decode().catch(() => {});
      if (part.dataset.mark !== mark) continue;
    }
    part.replaceChildren(fresh.content);
  }
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
  source = new EventSource(/** @type {string} */ (main.dataset.events));
  source.addEventListener("state", (event) => {
    gone.hidden = true;
    watch();
    const state = /** @type {State} */ (JSON.parse(event.data));
    latest = state;
    arrange(state);
    panel(state);
    swap(state.parts);
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
  source?.close();
  clearTimeout(again);
  again = setTimeout(connect, 2000);
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
document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("button");
  // A finger's press is on its way already; a key has only this.
  if (button?.dataset.press && event.detail === 0) post("press", { button: button.dataset.press });
  else if (button?.dataset.press) return;
  else if (button?.dataset.act === "hand") post("hand", { on: button.getAttribute("aria-pressed") !== "true" });
  else if (button?.dataset.act) post(button.dataset.act, {});
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) connect();
});
window.addEventListener("online", connect);
window.addEventListener("offline", lost);
connect();
