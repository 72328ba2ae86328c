// Correcting what the camera read: a tap in the picture leads to the field's or die's numbers, the likeliest first.

const still = matchMedia("(prefers-reduced-motion: reduce)");

document.addEventListener("click", (event) => {
  const name = /** @type {Element} */ (event.target).closest("[data-fix]")?.getAttribute("data-fix");
  const row = name && document.getElementById(`fix-${name}`);
  if (!row) return;
  row.closest("details")?.setAttribute("open", "");
  row.scrollIntoView({ block: "center", behavior: still.matches ? "instant" : "smooth" });
  /** @type {HTMLElement | null} */ (row.querySelector("input:checked, input"))?.focus({ preventScroll: true });
});
document.addEventListener("change", (event) => {
  // What somebody has begun to correct is not swept away by the next picture of the same table.
  const form = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".fixing"));
  if (form) form.dataset.edited = "yes";
});
