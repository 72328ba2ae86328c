// Entering a situation, or its pieces alone: a tap counts a field or a die up; the form carries it as one line.

const PIECES = 6;

/** Connects the editor, if the page shows one. */
export function setUpLay() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("lay"));
  if (!form || form.dataset.ready) return;
  form.dataset.ready = "yes";
  // In a part that came with the stream <noscript> was parsed as if there were no script: its field would join the form.
  form.querySelector("noscript")?.remove();
  const line = /** @type {HTMLInputElement} */ (form.querySelector("[data-situation]"));
  line.disabled = false;
  const fields = /** @type {SVGGElement[]} */ ([...form.querySelectorAll("[data-field]")]);
  const dice = /** @type {SVGGElement[]} */ ([...form.querySelectorAll("[data-die]")]);
  let [counts, pips = []] = line.value.split("-").map((digits) => [...digits].map(Number));

  const show = () => {
    line.value = dice.length ? `${counts.join("")}-${pips.join("")}` : counts.join("");
    fields.forEach((field, k) => mark(field, "pile", counts[k]));
    dice.forEach((die, k) => mark(die, "pips", pips[k]));
    const placed = total(counts);
    const thrown = pips.filter(Boolean).length;
    tell(form, "pieces", placed, PIECES);
    if (dice.length) tell(form, "dice", thrown, dice.length);
  };
  const edited = () => {
    form.dataset.edited = "yes";
    show();
    line.dispatchEvent(new Event("input", { bubbles: true })); // as if it had been typed
  };
  const tap = (/** @type {Element | null} */ target) => {
    const field = fields.findIndex((each) => each === target);
    const die = dice.findIndex((each) => each === target);
    if (field >= 0) counts[field] = total(counts) < PIECES ? counts[field] + 1 : 0;
    if (die >= 0) pips[die] = (pips[die] % 6) + 1;
    if (field >= 0 || die >= 0) edited();
  };
  form.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[data-clear]")) {
      counts = counts.map(() => 0);
      pips = pips.map(() => 0);
      edited();
    }
    tap(target.closest("[role=button]"));
  });
  form.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.getAttribute("role") === "button" && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      tap(target);
    }
  });
  show();
}

/** @param {number[]} counts */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {SVGGElement} group @param {string} symbol @param {number} count */
function mark(group, symbol, count) {
  group.querySelector("use")?.setAttribute("href", `#${symbol}-${count}`);
  group.setAttribute("aria-label", `${group.dataset.label}: ${count}`);
  group.classList.toggle("none", count === 0);
}

/** @param {HTMLFormElement} form @param {"pieces" | "dice"} name @param {number} count @param {number} wanted */
function tell(form, name, count, wanted) {
  const output = /** @type {HTMLOutputElement} */ (form.querySelector(`[data-tally=${name}]`));
  output.value = `${count} / ${wanted}`;
  output.classList.toggle("done", count === wanted);
}
