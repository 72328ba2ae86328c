// The hourglass on the page: runs by the time the server says is left, never by the phone's clock.

const still = matchMedia("(prefers-reduced-motion: reduce)");
let left = 0;
let total = 60;
let heard = 0;
let timer = 0;

/**
 * Shows the sand from now on.
 * @param {number | null} seconds what is left now; null when no sand runs
 * @param {number} hourglass what a full one holds
 */
export function showSand(seconds, hourglass) {
  clearTimeout(timer);
  if (seconds === null) return;
  left = seconds;
  total = hourglass;
  heard = performance.now();
  draw();
}

function draw() {
  const now = Math.max(0, left - (performance.now() - heard) / 1000);
  const seconds = document.getElementById("seconds");
  if (!seconds) return;
  seconds.textContent = String(Math.ceil(now));
  const clock = /** @type {HTMLElement} */ (seconds.closest(".clock"));
  clock.classList.toggle("late", now <= 10);
  clock.classList.toggle("running", now > 0);
  const share = Math.min(1, now / total);
  // Bulbs are wide at the ends and narrow at the neck, so levels do not fall evenly.
  const above = 34 * share ** 0.6;
  const below = 40 * (1 - share ** 0.6);
  set("sand-above", 50 - above, above);
  set("sand-below", 92 - below, below);
  timer = setTimeout(draw, still.matches ? 1000 : 100);
}

/** @param {string} id @param {number} y @param {number} height */
function set(id, y, height) {
  const sand = document.getElementById(id);
  sand?.setAttribute("y", y.toFixed(2));
  sand?.setAttribute("height", Math.max(0, height).toFixed(2));
}
