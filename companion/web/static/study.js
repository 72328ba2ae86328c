// Brings to life the pages beside the table: replay, moves, pieces to place, switches, the sand of a puzzle.

import { setUpLay } from "./lay.js";
import { setUpMove } from "./move.js";
import { setUpPrefs } from "./prefs.js";
import { setUpReplay } from "./replay.js";
import { showSand } from "./sand.js";

setUpLay();
setUpMove();
setUpReplay();
setUpPrefs();
const clock = /** @type {HTMLElement | null} */ (document.querySelector("[data-sand]"));
if (clock) showSand(Number(clock.dataset.sand), Number(clock.dataset.hourglass));
