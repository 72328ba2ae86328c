// The line to the table: opened anew when it was lost or silent, with a banner as long as it is gone.

const SILENCE_MS = 25_000; // the server writes at least every 10 s
const gone = /** @type {HTMLElement} */ (document.getElementById("gone"));
const many = /** @type {HTMLElement} */ (document.getElementById("many"));

/** @typedef {(event: MessageEvent) => void} Listener */

/** @type {EventSource | null} */
let source = null;
let address = "";
let timer = 0;
/** Who listens to what; every new line is given them all. @type {[string, Listener][]} */
const listening = [];

// htmx takes this for its EventSource; its own would stay silent on a phone whose line has died without a word.
/** @type {any} */ (window).htmx.createEventSource = (/** @type {string} */ url) => {
  address = url;
  open();
  return { addEventListener: listen, removeEventListener() {}, close: rest };
};

/** @param {string} name @param {Listener} listener */
export function listen(name, listener) {
  listening.push([name, listener]);
  source?.addEventListener(name, listener);
}

/** Opens the line anew, unless it is open; the server then sends everything. */
export function reopen() {
  if (source?.readyState !== EventSource.OPEN) open();
}

function open() {
  rest();
  source = new EventSource(address);
  for (const [name, listener] of listening) source.addEventListener(name, listener);
  source.addEventListener("error", lost);
  timer = setTimeout(lost, SILENCE_MS);
}

function rest() {
  source?.close();
  clearTimeout(timer);
}

function lost() {
  rest();
  timer = setTimeout(open, gone.hidden ? 300 : 2000);
  gone.hidden = false;
}

listen("state", (event) => {
  const { again, many: why } = JSON.parse(event.data);
  clearTimeout(timer);
  timer = setTimeout(lost, SILENCE_MS);
  gone.hidden = true;
  many.hidden = !again;
  if (!again) return;
  // There are more phones than streams: the server has told everything, and when to look again.
  if (many.textContent !== why) many.textContent = why;
  rest();
  timer = setTimeout(open, 1000 * again);
});
document.addEventListener("visibilitychange", () => {
  // Phones drop the stream of a page in the background without a word; and a browser has only six lines.
  if (document.hidden) rest();
  else open();
});
window.addEventListener("online", open);
window.addEventListener("offline", lost);
