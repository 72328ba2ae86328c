// How thrown dice roll: worked out backwards from where they lie, so that they come to rest exactly there.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, yaw: number, value: number}} Place */
/** @typedef {Place & {lift: number, along: number, squash: number}} Pose */

const SECONDS = 1.25;
const STEP_S = 1 / 120;
const STEPS = Math.round(SECONDS / STEP_S);
const SLOW = 50; // mm/s, just before a die lies still
const BRAKE = 430; // mm/s²
const DIE_MM = 9.5;
const PIECE_MM = 8.5;
const EDGE_MM = [194, 153];
const FACE_MM = 17; // so far it rolls from one face to the next
const LOW_S = 0.5; // only so long before its rest does a die roll low enough to meet pieces
const HOP_S = 0.3;

/**
 * The poses of the dice, step by step, from the hand to rest.
 * @param {Place[]} ends where they come to rest @param {Point[]} pieces what stands in their way
 * @param {Point} hand where they are thrown from, beyond one edge @param {() => number} chance
 * @returns {Pose[][]}
 */
export function roll(ends, pieces, hand, chance = Math.random) {
  const dice = ends.map((end) => {
    const turn = Math.atan2(hand.y - end.y, hand.x - end.x) + (chance() - 0.5) * 1.3;
    return {
      end, x: end.x, y: end.y, dx: Math.cos(turn), dy: Math.sin(turn), far: 0,
      rest: chance() * 0.25, spin: (chance() - 0.5) * 5,
      faces: Array.from({ length: 40 }, () => 1 + Math.floor(chance() * 6)),
    };
  });
  const poses = [dice.map((die) => pose(die, 0))];
  for (let step = 1; step <= STEPS; step += 1) {
    const before = step * STEP_S; // seconds until all lie still
    for (const die of dice) {
      const way = speed(die, before) * STEP_S;
      die.x += die.dx * way;
      die.y += die.dy * way;
      die.far += way;
      edges(die, hand);
      if (before < LOW_S) for (const piece of pieces) if (!bounce(die, piece, DIE_MM + PIECE_MM)) break;
    }
    for (const [k, die] of dice.entries()) for (const other of dice.slice(k + 1)) collide(die, other, before);
    poses.push(dice.map((die) => pose(die, before)));
  }
  return poses.reverse();
}

/** @typedef {{end: Place, x: number, y: number, dx: number, dy: number, far: number, rest: number, spin: number,
 *   faces: number[]}} Rolling */

/** @param {Rolling} die @param {number} before */
const speed = (die, before) => (before < die.rest ? 0 : SLOW + BRAKE * (before - die.rest));

/** The table's edge sends dice back, but where the hand is. @param {Rolling} die @param {Point} hand */
function edges(die, hand) {
  const [wide, high] = EDGE_MM;
  if (Math.abs(die.x) > wide && die.x * die.dx > 0 && die.x * hand.x <= wide * wide) die.dx = -die.dx;
  if (Math.abs(die.y) > high && die.y * die.dy > 0 && die.y * hand.y <= high * high) die.dy = -die.dy;
}

/** Off something that stays. @param {Rolling} die @param {Point} from @param {number} reach */
function bounce(die, from, reach) {
  const [x, y] = [die.x - from.x, die.y - from.y];
  const away = Math.hypot(x, y) || 1;
  const into = (die.dx * x + die.dy * y) / away;
  if (away >= reach || into >= 0) return true;
  die.dx -= (2 * into * x) / away;
  die.dy -= (2 * into * y) / away;
  return false;
}

/**
 * Two dice that meet: each takes what the other had along the line between them.
 * @param {Rolling} one @param {Rolling} other @param {number} before
 */
function collide(one, other, before) {
  const [x, y] = [other.x - one.x, other.y - one.y];
  const away = Math.hypot(x, y) || 1;
  if (away >= 2 * DIE_MM) return;
  const [fast, slow] = [speed(one, before), speed(other, before)];
  if (!fast || !slow) {
    if (fast) bounce(one, other, 2 * DIE_MM);
    if (slow) bounce(other, one, 2 * DIE_MM);
    return;
  }
  const [nx, ny] = [x / away, y / away];
  const mine = (one.dx * nx + one.dy * ny) * fast;
  const theirs = (other.dx * nx + other.dy * ny) * slow;
  if (mine <= theirs) return; // they part already
  turned(one, one.dx * fast + (theirs - mine) * nx, one.dy * fast + (theirs - mine) * ny);
  turned(other, other.dx * slow + (mine - theirs) * nx, other.dy * slow + (mine - theirs) * ny);
}

/** @param {Rolling} die @param {number} vx @param {number} vy */
function turned(die, vx, vy) {
  const length = Math.hypot(vx, vy);
  if (length < 1) return;
  [die.dx, die.dy] = [vx / length, vy / length];
}

/** @param {Rolling} die @param {number} before @returns {Pose} */
function pose(die, before) {
  const flown = Math.max(0, before - die.rest);
  const face = Math.floor((die.far + FACE_MM / 2) / FACE_MM);
  const part = (die.far + FACE_MM / 2) / FACE_MM - face; // 0.5: flat on the table
  const value = face ? die.faces[face % die.faces.length] : die.end.value;
  return {
    x: die.x, y: die.y, yaw: die.end.yaw + die.far * die.spin, value,
    lift: Math.abs(Math.sin((Math.PI * flown) / HOP_S)) * Math.min(1, flown / SECONDS) * 0.35,
    along: (Math.atan2(die.dy, die.dx) * 180) / Math.PI,
    squash: die.far ? 0.3 * Math.abs(Math.cos(Math.PI * part)) : 0,
  };
}
