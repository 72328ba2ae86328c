// Keeps the screen on while it is wanted: by the browser's own lock, or, where an address without TLS has none, a video.

import { wants as prefers } from "./prefs.js";

let wanted = false;

/** @type {WakeLockSentinel | null} */
let lock = null;

/** @type {HTMLVideoElement | null} */
let video = null;

/** Call it as often as you like. @param {boolean} wants whether the screen is to stay on from now on */
export function stayAwake(wants) {
  wanted = wants && prefers("awake");
  if ("wakeLock" in navigator) void hold();
  else play();
}

async function hold() {
  const holds = lock !== null && !lock.released;
  if (wanted && !holds && !document.hidden) {
    // A phone that saves power may refuse.
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (!wanted) await lock?.release();
  } else if (!wanted && holds) {
    await lock?.release();
  }
}

function play() {
  if (wanted && !document.hidden) {
    video ??= silent();
    // Refused before the first tap, on some phones; the next tap tries again.
    if (video.paused) video.play().catch(() => {});
  } else {
    video?.pause();
  }
}

/**
 * A black and silent video. Browsers keep the screen on for one that is muted only if it fills a fifth of the window
 * (Chromium) or not at all (Safari, which wants sound and no loop as well): so it lies behind the page, see-through.
 */
function silent() {
  const made = document.createElement("video");
  const safari = "webkitSetPresentationMode" in made;
  made.className = "awake";
  made.src = new URL("awake.mp4", import.meta.url).href;
  made.muted = made.loop = !safari;
  made.playsInline = made.disableRemotePlayback = true;
  made.tabIndex = -1;
  made.setAttribute("aria-hidden", "true");
  made.addEventListener("ended", play);
  document.body.append(made);
  return made;
}

for (const tried of ["click", "keydown"]) document.addEventListener(tried, () => stayAwake(wanted));
document.addEventListener("visibilitychange", () => stayAwake(wanted));
