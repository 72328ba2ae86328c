// The play on the drawn board: a tap on a field chooses the piece, a tap on a die moves it.

/** Connects the board with the form of a move, if the page shows one. */
export function setUpMove() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("move"));
  const board = /** @type {SVGElement | null} */ (document.querySelector(".part-board .board"));
  if (!form || !board) return;
  const radios = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=from]")]);
  const show = () => {
    const chosen = radios.find((radio) => radio.checked)?.value;
    for (const field of board.querySelectorAll("[data-field]"))
      field.classList.toggle("chosen", field.getAttribute("data-field") === chosen);
  };
  board.onclick = (event) => {
    const target = /** @type {Element} */ (event.target);
    const letter = target.closest("[data-field]")?.getAttribute("data-field");
    const colour = target.closest("[data-die]")?.getAttribute("data-die");
    const radio = radios.find((each) => each.value === letter);
    if (radio) radio.checked = true;
    show();
    if (colour) /** @type {HTMLElement | null} */ (form.querySelector(`[name=colour][value=${colour}]`))?.click();
  };
  form.onchange = show;
  show();
}
