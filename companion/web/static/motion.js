// How pieces glide and thrown dice roll, where motion is not unwelcome.

import { roll } from "./roll.js";

const GLIDE_MS = 320;
const PICK_UP_MS = 300;
const STEP_MS = 1000 / 120;
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{x: number, y: number, yaw: number, value: number}} Place */
/** @typedef {{x: number, y: number, yaw: number}} Seen */

/** Where each thing is shown at this moment. @type {WeakMap<SVGGElement, Seen>} */
const shown = new WeakMap();
/** What moves each thing; another one takes its place. @type {WeakMap<SVGGElement, object>} */
const movers = new WeakMap();
/** Where gliding things go. @type {WeakMap<SVGGElement, {x: number, y: number}>} */
const goals = new WeakMap();

/** Whether things are to lie at once where they belong. */
export function still() {
  return reduced.matches || document.hidden;
}

/** @param {number} part 0 to 1 */
const eased = (part) => part * part * (3 - 2 * part);

/** @param {SVGGElement} thing @param {Seen} at @param {string} [more] */
function show(thing, at, more = "") {
  shown.set(thing, at);
  const turned = thing.dataset.colour && !more ? ` rotate(${at.yaw.toFixed(1)})` : more;
  thing.setAttribute("transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})${turned}`);
}

/**
 * Draws for so long, with the part of the time that has gone by; something else may move the things meanwhile.
 * @param {SVGGElement[]} things @param {number} ms @param {(part: number) => void} draw
 * @returns {Promise<boolean>} whether it came to its end
 */
function during(things, ms, draw) {
  const own = {};
  for (const thing of things) movers.set(thing, own);
  const began = performance.now();
  return new Promise((done) => {
    const frame = () => {
      if (things.some((thing) => movers.get(thing) !== own)) return done(false);
      const part = document.hidden ? 1 : Math.min(1, (performance.now() - began) / ms);
      draw(part);
      if (part < 1) requestAnimationFrame(frame);
      else done(true);
    };
    frame();
  });
}

/** Shows a thing at its place, `soft`: on its way there. @param {SVGGElement} thing @param {Place} to @param {boolean} soft */
export function glide(thing, to, soft) {
  const from = shown.get(thing);
  const far = from ? Math.hypot(to.x - from.x, to.y - from.y) : 0;
  if (!from || !soft || far < 2 || still()) {
    if (far || !from || from.yaw !== to.yaw) movers.delete(thing);
    show(thing, to);
    return;
  }
  const goal = goals.get(thing);
  if (goal && movers.get(thing) && goal.x === to.x && goal.y === to.y) return; // it is on its way
  goals.set(thing, { x: to.x, y: to.y });
  during([thing], GLIDE_MS, (part) => {
    const share = eased(part);
    show(thing, {
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share,
      yaw: from.yaw + (to.yaw - from.yaw) * share,
    });
  }).then((ended) => {
    if (ended) movers.delete(thing);
  });
}

/**
 * Takes the dice up and lets them roll to where they lie.
 * @param {SVGGElement[]} dice @param {Place[]} ends @param {{x: number, y: number}[]} pieces
 * @param {{x: number, y: number}} hand where they come from, beyond an edge
 */
export async function rollDice(dice, ends, pieces, hand) {
  const poses = roll(ends, pieces, hand);
  const from = dice.map((die, k) => shown.get(die) ?? ends[k]);
  for (const die of dice) die.classList.add("held");
  await during(dice, PICK_UP_MS, (part) => {
    for (const [k, die] of dice.entries()) {
      const [share, first] = [eased(part), poses[0][k]];
      const [x, y] = [from[k].x + (first.x - from[k].x) * share, from[k].y + (first.y - from[k].y) * share];
      show(die, { x, y, yaw: from[k].yaw }, ` rotate(${from[k].yaw.toFixed(1)}) scale(${1 + 0.3 * share})`);
    }
  });
  await during(dice, (poses.length - 1) * STEP_MS, (part) => {
    const now = poses[Math.round(part * (poses.length - 1))];
    for (const [k, die] of dice.entries()) {
      const { x, y, yaw, along, squash, lift, value } = now[k];
      const tumbling = ` rotate(${along.toFixed(1)}) scale(${(1 - squash).toFixed(3)} 1) rotate(${(yaw - along).toFixed(1)})`;
      show(die, { x, y, yaw }, `${tumbling} scale(${(1 + lift).toFixed(3)})`);
      die.querySelector("use")?.setAttribute("href", `#pips-${value}`);
    }
  });
  for (const die of dice) die.classList.remove("held");
}
