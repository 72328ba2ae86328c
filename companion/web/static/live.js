// Keeps the page up to date where htmx alone would not: what must outlast a swap, the sand, and what is said of a form.

import { stayAwake } from "./awake.js";
import { feel } from "./buzz.js";
import { forgetFixing, setUpFixing } from "./fix.js";
import { remember } from "./focus.js";
import { setUpLay } from "./lay.js";
import { listen, reopen } from "./line.js";
import { setUpMove } from "./move.js";
import { setUpPlaces } from "./places.js";
import { setUpReplay } from "./replay.js";
import { showSand } from "./sand.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));

/** @typedef {{phase: string, paused: boolean, sand: number | null, hourglass: number}} State */

/** Comes behind the parts that changed. @param {MessageEvent} event */
function take(event) {
  const state = /** @type {State} */ (JSON.parse(event.data));
  if (state.phase !== main.dataset.phase) say("");
  showSand(state.sand, state.hourglass);
  stayAwake(!state.paused && (main.dataset.awake ?? "").split(" ").includes(state.phase));
  feel(state.phase, state.sand);
  main.dataset.phase = state.phase;
}

/** A part has come, and htmx would swap it. @param {CustomEvent<MessageEvent>} event */
function come(event) {
  const part = /** @type {HTMLElement} */ (event.target);
  const { data, lastEventId: mark } = event.detail;
  if (part.dataset.mark === mark) return event.preventDefault();
  part.dataset.mark = mark;
  const fresh = document.createElement("template");
  fresh.innerHTML = data;
  const picture = fresh.content.querySelector("image");
  if (!picture) return keep(part, fresh.content) || event.preventDefault();
  event.preventDefault();
  // Shown only once it is loaded, so that the old picture does not blink away; a later state is not overtaken.
  const image = new Image();
  image.src = picture.getAttribute("href") ?? "";
  image.decode().catch(() => {}).then(() => {
    if (part.dataset.mark === mark && keep(part, fresh.content))
      /** @type {any} */ (window).htmx.swap(part, data, { swapStyle: "innerHTML" });
  });
}

/**
 * What a person edits, has opened or focused in a part stays when it is swapped; what is typed, by hx-preserve.
 * @param {HTMLElement} part @param {DocumentFragment} fresh @returns {boolean} whether it may be swapped
 */
function keep(part, fresh) {
  const editing = part.querySelector("form[data-edited]")?.getAttribute("data-key");
  if (editing && editing === fresh.querySelector("form[data-key]")?.getAttribute("data-key")) return false;
  const open = [...part.querySelectorAll("details[open]")].map((details) => details.id);
  const focusAgain = remember(part);
  const again = () => {
    for (const id of open) if (id) document.getElementById(id)?.setAttribute("open", "");
    focusAgain();
    setUp();
  };
  part.addEventListener("htmx:afterSwap", again, { once: true });
  return true;
}

/** Brings to life what the parts hold now. */
function setUp() {
  setUpFixing();
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

document.addEventListener("htmx:sseBeforeMessage", (event) => come(/** @type {CustomEvent} */ (event)));
document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  const why = xhr.getResponseHeader("Content-Type") === "application/json" && JSON.parse(xhr.responseText).sentence;
  say(xhr.status === 204 ? "" : why || notice.dataset.failed);
  if (xhr.status === 204) {
    const typed = requestConfig.elt.querySelector("#any");
    if (typed) typed.value = ""; // it is bid
    requestConfig.elt.removeAttribute("data-edited");
    if (requestConfig.elt.matches(".fixing")) forgetFixing();
  }
  reopen();
});
// What was said of a form is said of it as it was sent.
document.addEventListener("input", () => say(""));
listen("state", take);

setUp();
showSand(main.dataset.sand ? Number(main.dataset.sand) : null, Number(main.dataset.hourglass));
