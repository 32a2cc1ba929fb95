import type { RealScenario } from "../scenario.js";
import { prompts } from "./prompts.js";
import { secrets } from "./secrets.js";
import { trouble } from "./trouble.js";
import { work } from "./work.js";

export const scenarios: readonly RealScenario[] = [...work, ...trouble, ...prompts, ...secrets];
