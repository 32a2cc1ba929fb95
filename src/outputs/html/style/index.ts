import { base } from "./base.js";
import { charts } from "./charts.js";
import { colours } from "./colours.js";
import { overview } from "./overview.js";
import { timeline } from "./timeline.js";

/** The page's whole style sheet. */
export const style = colours + base + overview + charts + timeline;
