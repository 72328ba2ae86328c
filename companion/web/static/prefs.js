// What this phone is to do, as its owner has chosen; all of it unless told otherwise. Kept on the phone alone.

/** @param {"awake" | "buzz"} name */
export function wants(name) {
  try {
    return localStorage.getItem(name) !== "no";
  } catch {
    return true; // a browser that keeps nothing
  }
}

/** Connects the switches of the settings, if the page shows them. */
export function setUpPrefs() {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-pref]"))) {
    const name = /** @type {"awake" | "buzz"} */ (box.dataset.pref);
    box.checked = wants(name);
    /** @type {HTMLElement} */ (box.closest("[hidden]") ?? box).hidden = false;
    box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "yes" : "no"));
  }
}
