// The best line on the drawn board, a move at a time, forwards and backwards.

/** @typedef {{pieces: [number, number, number, boolean][], used: string[], points: number, gained: number, mover: number | null, path: string}} Frame */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const HOP_MS = 170;
const SWIPE_PX = 30;
let shown = 0;

/** Connects the board, if the page shows one; a new one begins at the start. */
export function setUpReplay() {
  const board = document.querySelector(".replay");
  if (board && !board.classList.contains("ready")) {
    board.classList.add("ready");
    shown = 0;
  }
  show(0);
}

/** A move on or back; from the end on to the start again if `around`. @param {number} by @param {boolean} around */
export function step(by, around = false) {
  const frames = JSON.parse(/** @type {HTMLElement | null} */ (document.querySelector(".replay"))?.dataset.frames ?? "[]");
  show(around && frames.length > 1 && shown === frames.length - 1 ? -shown : by);
}

/** @param {number} by */
function show(by) {
  const board = /** @type {SVGSVGElement | null} */ (document.querySelector(".replay"));
  if (!board) return;
  const frames = /** @type {Frame[]} */ (JSON.parse(board.dataset.frames ?? "[]"));
  const before = shown;
  shown = Math.min(Math.max(shown + by, 0), frames.length - 1);
  const frame = frames[shown];
  const step = shown > before ? frame : shown < before ? frames[before] : null;
  for (const mover of /** @type {NodeListOf<SVGGElement>} */ (board.querySelectorAll(".mover"))) {
    const k = Number(mover.dataset.piece);
    const [x, y, size, marked] = frame.pieces[k];
    const [oldX, oldY] = frames[before].pieces[k];
    mover.classList.toggle("marked", marked);
    mover.classList.toggle("moved", !marked && frames[0].pieces[k][3]);
    mover.setAttribute("transform", place(x, y, size));
    if (!step || still.matches) continue;
    const stops = step.mover === k ? middles(board, step.path, shown < before) : [];
    const points = [[oldX, oldY], ...stops, [x, y]];
    const keyframes = points.map(([px, py]) => ({ transform: `translate(${px}px, ${py}px) scale(${size})` }));
    // Drawn last, so that it passes over the others.
    if (step.mover === k) mover.parentNode?.insertBefore(mover, board.querySelector(".gain"));
    mover.animate(keyframes, { duration: HOP_MS * (points.length - 1), easing: "ease-in-out" });
  }
  for (const die of board.querySelectorAll(".die")) {
    die.classList.toggle("used", frame.used.includes(/** @type {HTMLElement} */ (die).dataset.die ?? ""));
  }
  const to = frame.path.at(-1);
  for (const field of board.querySelectorAll(".field")) {
    field.classList.toggle("reached", /** @type {HTMLElement} */ (field).dataset.field === to);
  }
  gain(board, step && shown > before ? frame : null);
  tell(frame, frames.length - 1);
}

/** @param {number} x @param {number} y @param {number} size */
const place = (x, y, size) => `translate(${x} ${y}) scale(${size})`;

/**
 * The middles of the fields a piece passes on its way round, without both ends.
 * @param {SVGSVGElement} board @param {string} path @param {boolean} backwards
 */
function middles(board, path, backwards) {
  const stops = [...path.slice(1, -1)].map((letter) => {
    const well = board.querySelector(`[data-field="${letter}"] .well`);
    return [Number(well?.getAttribute("cx")), Number(well?.getAttribute("cy"))];
  });
  return backwards ? stops.reverse() : stops;
}

/**
 * The points of a move, rising from the field where they were made.
 * @param {SVGSVGElement} board @param {Frame | null} frame
 */
function gain(board, frame) {
  const text = /** @type {SVGTextElement} */ (board.querySelector(".gain"));
  for (const animation of text.getAnimations()) animation.cancel();
  text.textContent = "";
  if (!frame?.gained || frame.mover === null) return;
  const [x, y] = frame.pieces[frame.mover];
  text.textContent = `+${frame.gained}`;
  text.setAttribute("x", String(x));
  text.setAttribute("y", String(y));
  if (still.matches) return;
  const rise = [
    { opacity: 0, transform: "translateY(6px)" },
    { opacity: 1, transform: "translateY(0)", offset: 0.2 },
    { opacity: 1, transform: "translateY(0)", offset: 0.8 },
    { opacity: 0, transform: "translateY(-8px)" },
  ];
  text.animate(rise, { delay: HOP_MS * (frame.path.length - 1), duration: 1500, fill: "both" });
}

/** @param {Frame} frame @param {number} last */
function tell(frame, last) {
  for (const at of document.querySelectorAll(".steps [data-at]")) at.textContent = String(shown);
  for (const points of document.querySelectorAll(".steps [data-points]")) points.textContent = String(frame.points);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-step]"))) {
    button.setAttribute("aria-disabled", String(button.dataset.step === "1" ? shown === last : shown === 0));
  }
  document.querySelectorAll("[data-replayed] li").forEach((move, k) => {
    move.classList.toggle("now", k === shown - 1);
    move.classList.toggle("past", k < shown - 1);
  });
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-step]"));
  if (button) show(Number(button.dataset.step));
});
/** Where a finger came down on the board. @type {number | null} */
let touched = null;
document.addEventListener("pointerdown", (event) => {
  touched = /** @type {Element} */ (event.target).closest(".replay") ? event.clientX : null;
});
document.addEventListener("pointerup", (event) => {
  const moved = touched === null ? 0 : event.clientX - touched;
  touched = null;
  if (Math.abs(moved) > SWIPE_PX) show(moved < 0 ? 1 : -1);
});
document.addEventListener("keydown", (event) => {
  if (/** @type {Element} */ (event.target).closest("input, select, textarea, summary")) return;
  if (event.key === "ArrowRight") show(1);
  if (event.key === "ArrowLeft") show(-1);
});
