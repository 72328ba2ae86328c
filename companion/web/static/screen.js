// The big screen: plays the best line over and over, and sounds for bids, the last seconds and the end.

import { step } from "./replay.js";

const MOVE_MS = 2200;
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("sound"));
let phase = main.dataset.phase;
let high = "";
let second = "";

/** @type {AudioContext | null} */
let audio = null;

/** Rings a bell. @param {number} hertz @param {number} seconds @param {number} after */
function ring(hertz, seconds, after = 0) {
  if (!audio || button.getAttribute("aria-pressed") !== "true") return;
  const at = audio.currentTime + after;
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.frequency.value = hertz;
  loud.gain.setValueAtTime(0.25, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  tone.connect(loud).connect(audio.destination);
  tone.start(at);
  tone.stop(at + seconds);
}

/** Listens to what has changed on the screen. */
function listen() {
  const now = main.dataset.phase;
  const called = document.querySelector(".high strong:not([aria-hidden])")?.textContent ?? "";
  const left = document.getElementById("seconds")?.textContent ?? "";
  if (now === "auction" && phase === "auction" && called && called !== high) ring(660, 0.5);
  if (now === "auction" && left !== second && Number(left) <= 10 && left) ring(left === "0" ? 220 : 440, 0.12);
  if (phase === "auction" && now === "play") [0, 0.25, 0.5].forEach((after) => ring(330, 0.6, after));
  if (phase !== "reveal" && now === "reveal") [392, 494, 587, 784].forEach((hertz, k) => ring(hertz, 0.8, k * 0.14));
  [phase, high, second] = [now, called, left];
}

button.addEventListener("click", async () => {
  // A browser lets nothing sound before somebody has tapped.
  audio ??= new AudioContext();
  await audio.resume();
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  ring(660, 0.3);
});

setInterval(listen, 200);
setInterval(() => step(1, true), MOVE_MS);
