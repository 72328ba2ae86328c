// The form of a new game: rows of names that can be dragged, or moved with the arrow keys, into their order.

/** Gives every row the number of its place. @param {Element} rows */
function number(rows) {
  [...rows.children].forEach((row, k) => {
    /** @type {HTMLInputElement} */ (row.querySelector("[name=first]")).value = String(k);
  });
}

/** One more row for a player's name. */
function add() {
  const rows = /** @type {HTMLElement} */ (document.querySelector(".places ol"));
  const row = /** @type {HTMLElement} */ (rows.lastElementChild?.cloneNode(true));
  const [first, name] = /** @type {HTMLInputElement[]} */ ([...row.querySelectorAll("input")]);
  first.checked = false;
  name.value = "";
  rows.append(row);
  number(rows);
  name.focus();
}

/** Moves a row before or behind a neighbour. @param {Element} row @param {number} by */
function move(row, by) {
  const rows = /** @type {Element} */ (row.parentElement);
  const neighbour = by < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!neighbour) return;
  if (by < 0) neighbour.before(row);
  else neighbour.after(row);
  number(rows);
}

/** Drags a row as long as the pointer is down. @param {HTMLElement} handle @param {PointerEvent} down */
function drag(handle, down) {
  const row = /** @type {HTMLElement} */ (handle.closest("li"));
  down.preventDefault();
  handle.setPointerCapture(down.pointerId);
  row.classList.add("dragged");
  handle.onpointermove = (event) => {
    const { top, bottom } = row.getBoundingClientRect();
    if (event.clientY < top) move(row, -1);
    if (event.clientY > bottom) move(row, 1);
    if (!handle.hasPointerCapture(event.pointerId)) handle.setPointerCapture(event.pointerId); // moving it let go
  };
  const drop = () => {
    row.classList.remove("dragged");
    handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
  };
  handle.onpointerup = handle.onpointercancel = drop;
}

/** What only works with this script is hidden without it. */
export function setUpPlaces() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-add-place], [data-drag]")))
    part.hidden = false;
}

document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-add-place]")) add();
});
document.addEventListener("pointerdown", (event) => {
  const handle = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-drag]"));
  if (handle) drag(handle, event);
});
document.addEventListener("keydown", (event) => {
  const handle = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-drag]"));
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!handle || !by) return;
  event.preventDefault();
  move(/** @type {Element} */ (handle.closest("li")), by);
  handle.focus();
});
