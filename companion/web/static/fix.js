// Correcting what the camera read: a tap in the picture leads to the field's or die's numbers, the likeliest first.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const KEPT = "fixing";

document.addEventListener("click", (event) => {
  const name = /** @type {Element} */ (event.target).closest("[data-fix]")?.getAttribute("data-fix");
  const row = name && document.getElementById(`fix-${name}`);
  if (!row) return;
  row.closest("details")?.setAttribute("open", "");
  row.scrollIntoView({ block: "center", behavior: still.matches ? "instant" : "smooth" });
  /** @type {HTMLElement | null} */ (row.querySelector("input:checked, input"))?.focus({ preventScroll: true });
});
document.addEventListener("change", (event) => {
  // What somebody has begun to correct is not swept away by the next picture of the same table, by a hand, or a reload.
  const form = /** @type {HTMLFormElement | null} */ (/** @type {Element} */ (event.target).closest(".fixing"));
  if (!form) return;
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=radio]")]);
  if (inputs.every((each) => each.checked === each.defaultChecked)) {
    delete form.dataset.edited; // all is as it was
    return forgetFixing();
  }
  form.dataset.edited = "yes";
  const chosen = inputs.filter((each) => each.checked).map((each) => [each.name, each.value]);
  keep(JSON.stringify([form.dataset.key, chosen]));
});

/** Takes up again what was chosen for the same table, if the page shows it. */
export function setUpFixing() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".fixing"));
  if (!form || form.dataset.edited) return;
  const [key, chosen] = JSON.parse(kept() ?? "[]");
  if (key !== form.dataset.key) return;
  for (const [name, value] of chosen) {
    const one = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name="${name}"][value="${value}"]`));
    if (one && !one.checked) {
      one.checked = true;
      one.closest("details")?.setAttribute("open", "");
    }
  }
  form.dataset.edited = "yes";
}

/** What was chosen has been sent. */
export function forgetFixing() {
  keep("[]");
}

/** @param {string} chosen */
function keep(chosen) {
  try {
    sessionStorage.setItem(KEPT, chosen);
  } catch {} // a browser that keeps nothing
}

function kept() {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
