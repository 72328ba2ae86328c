// Keeps the keyboard at its place when a part of the page is drawn anew.

const CAN_BE = "a[href], button, input, select, summary, [tabindex]";

/**
 * Call it before `part` changes, and what it returns afterwards: the keyboard is then on what looks the same, or, where
 * that is gone, on the part itself. Never on what stands in its place: Enter would bid another number than was meant.
 * @param {HTMLElement} part @returns {() => void}
 */
export function remember(part) {
  const one = document.activeElement;
  if (!one || !part.contains(one)) return () => {};
  const was = likeness(one);
  return () => {
    const again = /** @type {HTMLElement[]} */ ([...part.querySelectorAll(CAN_BE)]).find((each) => likeness(each) === was);
    if (!again) part.tabIndex = -1;
    (again ?? part).focus({ preventScroll: true });
  };
}

/** @param {Element} one */
function likeness(one) {
  if (one.id) return one.id;
  const [name, value, href] = ["name", "value", "href"].map((each) => one.getAttribute(each));
  return [one.localName, name, value, href, one.textContent?.trim()].join(" ");
}
