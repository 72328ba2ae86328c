// What a phone's hand feels of an auction: its bid is in, somebody bid more, ten seconds are left, the sand has run out.

import { wants } from "./prefs.js";

const LAST_SECONDS = 10;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let auction = false;
let mine = "";
let soon = 0;

/**
 * Feels what has changed; call it when the page shows the state.
 * @param {string} phase @param {number | null} sand seconds left, null when no sand runs
 */
export function feel(phase, sand) {
  const was = auction;
  const held = mine;
  auction = phase === "auction";
  // The highest bid, if this phone's seat holds it.
  const high = /** @type {HTMLElement | null} */ (document.querySelector(".high[data-seat]"));
  const own = document.querySelector(".mine .name")?.textContent === high?.dataset.seat;
  mine = own ? high?.querySelector("strong")?.textContent ?? "" : "";
  clearTimeout(soon);
  if (was && !auction) buzz(400);
  if (!auction) return;
  if (was && mine && mine !== held) buzz(40);
  if (was && held && !mine) buzz(80, 60, 80);
  if (sand !== null && sand > LAST_SECONDS) soon = setTimeout(() => buzz(150), 1000 * (sand - LAST_SECONDS));
}

/** @param {number[]} pattern milliseconds, of vibration and of rest in turn */
function buzz(...pattern) {
  // Before the first tap a browser refuses, and says so in its console.
  if (!wants("buzz") || still.matches || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate?.(pattern);
}
