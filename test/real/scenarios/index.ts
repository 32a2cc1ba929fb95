import type { RealScenario } from "../scenario.js";
import { background } from "./background.js";
import { prompts } from "./prompts.js";
import { secrets } from "./secrets.js";
import { stops } from "./stops.js";
import { trouble } from "./trouble.js";
import { work } from "./work.js";

export const scenarios: readonly RealScenario[] = [
  ...work,
  ...background,
  ...trouble,
  ...stops,
  ...prompts,
  ...secrets,
];
