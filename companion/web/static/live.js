// Keeps the page up to date: takes the stream of events, swaps parts, and sends forms without leaving the page.

import "./fix.js";
import { stayAwake } from "./awake.js";
import { feel } from "./buzz.js";
import { remember } from "./focus.js";
import { setUpLay } from "./lay.js";
import { setUpMove } from "./move.js";
import { setUpPlaces } from "./places.js";
import { setUpReplay } from "./replay.js";
import { showSand } from "./sand.js";

const SILENCE_MS = 25_000; // the server writes at least every 10 s
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const gone = /** @type {HTMLElement} */ (document.getElementById("gone"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));
const many = /** @type {HTMLElement} */ (document.getElementById("many"));

/** @type {EventSource | null} */
let source = null;
let watchdog = 0;
let again = 0;
let sending = false;

/** @typedef {{phase: string, paused: boolean, sand: number | null, hourglass: number,
 *   parts: Record<string, [string, string]>, again?: number, many?: string}} State */

/** Opens the stream anew; the server then sends everything. */
function connect() {
  rest();
  source = new EventSource(main.dataset.events ?? "/events");
  source.addEventListener("state", (event) => {
    alive();
    const state = /** @type {State} */ (JSON.parse(event.data));
    take(state);
    pace(state);
  });
  source.addEventListener("error", lost);
  watch();
}

function watch() {
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, SILENCE_MS);
}

function alive() {
  gone.hidden = true;
  watch();
}

/** Where there are more phones than streams, the server tells everything once and when to look again. @param {State} state */
function pace(state) {
  many.hidden = !state.again;
  if (!state.again) return;
  if (many.textContent !== state.many) many.textContent = state.many ?? "";
  rest();
  again = setTimeout(connect, 1000 * state.again);
}

function rest() {
  source?.close();
  clearTimeout(again);
  clearTimeout(watchdog);
}

function lost() {
  rest();
  again = setTimeout(connect, gone.hidden ? 300 : 2000);
  gone.hidden = false;
}

/** @param {State} state */
function take(state) {
  if (state.phase !== main.dataset.phase) say("");
  for (const [name, [mark, html]] of Object.entries(state.parts)) {
    const part = /** @type {HTMLElement | null} */ (document.querySelector(`[data-part="${name}"]`));
    if (part && part.dataset.mark !== mark) {
      part.dataset.mark = mark;
      // Not waited for: a later state must never be overtaken by the rest of an earlier one.
      void swap(part, html, mark);
    }
  }
  showSand(state.sand, state.hourglass);
  stayAwake(!state.paused && (main.dataset.awake ?? "").split(" ").includes(state.phase));
  feel(state.phase, state.sand);
  main.dataset.phase = state.phase;
}

/**
 * Puts new content into a part; what a person has typed, opened or focused there stays.
 * @param {HTMLElement} part @param {string} html @param {string} mark
 */
async function swap(part, html, mark) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  // In a template <noscript> is parsed as if there were no script: its fields would join the form.
  for (const plain of fresh.content.querySelectorAll("noscript")) plain.remove();
  const picture = fresh.content.querySelector("image");
  if (picture) {
    // Shown only once it is loaded, so that the old picture does not blink away.
    const image = new Image();
    image.src = picture.getAttribute("href") ?? "";
    await image.decode().catch(() => {});
    if (part.dataset.mark !== mark) return;
  }
  const editing = part.querySelector("form[data-edited]");
  const next = fresh.content.querySelector("form[data-key]");
  if (editing && next && editing.getAttribute("data-key") === next.getAttribute("data-key")) return;
  const open = [...part.querySelectorAll("details[open]")].map((details) => details.id);
  const focusAgain = remember(part);
  const typed = [...part.querySelectorAll("input[type=number][id]")].map(
    (input) => /** @type {const} */ ([input.id, /** @type {HTMLInputElement} */ (input).value]),
  );
  part.replaceChildren(fresh.content);
  for (const id of open) if (id) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, value] of typed) {
    const input = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    if (input) input.value = value;
  }
  focusAgain();
  setUp();
}

/** Brings to life what the parts hold now. */
function setUp() {
  setUpLay();
  setUpMove();
  setUpReplay();
  setUpPlaces();
}

/** @param {string} sentence */
function say(sentence) {
  notice.textContent = sentence;
  notice.hidden = !sentence;
}

/** @param {SubmitEvent} event */
async function send(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.classList.contains("languages")) return;
  event.preventDefault();
  if (sending) return;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
  busy(true);
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    say(answer.ok ? "" : (await answer.json()).sentence);
    if (answer.ok) form.removeAttribute("data-edited");
    if (source?.readyState !== EventSource.OPEN) connect();
  } catch {
    say(notice.dataset.failed ?? "");
  } finally {
    busy(false);
  }
}

/**
 * While a form is on its way no other is sent. Buttons are not disabled: the keyboard would lose its place.
 * @param {boolean} now
 */
function busy(now) {
  sending = now;
  document.body.classList.toggle("busy", now);
}

document.addEventListener("submit", send);
document.addEventListener("visibilitychange", () => {
  // Phones drop the stream of a page in the background without a word; and a browser has only six lines.
  if (document.hidden) rest();
  else connect();
});
window.addEventListener("online", connect);
window.addEventListener("offline", lost);

setUp();
showSand(main.dataset.sand ? Number(main.dataset.sand) : null, Number(main.dataset.hourglass));
connect();
