// Camera and wiring: looks again and again while the page is seen, and says when something takes a moment.

const EVERY_MS = 700;
const view = /** @type {HTMLElement | null} */ (document.querySelector("[data-refresh]"));
let shown = "";
let turn = 0;

/** Shows the part as it is now; a picture only once it is loaded, so that nothing blinks. */
async function look() {
  if (!view || document.hidden) return;
  const mine = ++turn;
  try {
    const answer = await fetch(view.dataset.refresh ?? "");
    const html = answer.ok ? await answer.text() : shown;
    if (html !== shown && mine === turn) await show(html, mine);
  } catch {
    // The next look tells.
  }
  if (mine === turn) setTimeout(() => mine === turn && look(), EVERY_MS);
}

/** @param {string} html @param {number} mine */
async function show(html, mine) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const picture = fresh.content.querySelector("image");
  if (picture) {
    const image = new Image();
    image.src = picture.getAttribute("href") ?? "";
    await image.decode().catch(() => {});
  }
  if (mine !== turn) return;
  shown = html;
  const focused = view?.contains(document.activeElement) ? document.activeElement?.id : "";
  view?.replaceChildren(fresh.content);
  if (focused) document.getElementById(focused)?.focus();
}

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (view?.contains(form)) {
    event.preventDefault();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
    await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
    await look();
  } else if (button?.dataset.busy) {
    turn += 1; // no more looks: the camera is wanted for the photo
    button.textContent = button.dataset.busy;
    setTimeout(() => { button.disabled = true; });
  }
});
document.addEventListener("visibilitychange", look);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload(); // a step may have been taken since
  else look();
});
