import * as v from "valibot";
import { HarnessError } from "../errors.js";
import type { HarnessEvent } from "../events/event.js";
import type { Ended } from "../events/run-state.js";
import { checkOptions } from "../text/check-options.js";
import { functionOf } from "../text/option-parts.js";
import { TranslatedAgentSchema, TranslatorOptionsSchema } from "./agent-schemas.js";
import type { Translator, TranslatorOptions } from "./contract.js";
import { createFramedTranslator, type TranslatedAgent } from "./frame/frame.js";
import { type AgentId, requireAgent } from "./registry.js";
import { createSteps, type Steps } from "./steps.js";

/**
 * A translator for one run of an agent.
 *
 * @example
 * const translator = createTranslator("claude", { cwd: "/repo" });
 * for (const line of lines) console.log(translator.line(line, new Date().toISOString()));
 * console.log(translator.end({ exitCode: 0 }));
 */
export function createTranslator(
  agent: AgentId | TranslatedAgent,
  options: TranslatorOptions = {},
): Translator {
  const checked = checkOptions(TranslatorOptionsSchema, options, "options");
  return createFramedTranslator(requireTranslated(agent), checked);
}

/** Programs without types may pass anything. */
function requireTranslated(agent: AgentId | TranslatedAgent): TranslatedAgent {
  if (typeof agent === "string") return requireAgent(agent);
  checkOptions(TranslatedAgentSchema, agent, "agent");
  return agent;
}

/** The options of `translate`. */
export interface TranslateOptions extends TranslatorOptions {
  /** How the process ended. Default: exit code 0. */
  ended?: Ended;
  /** The time to stamp on events. */
  now?: () => string;
}

const TranslateOptionsSchema = v.strictObject({
  ...TranslatorOptionsSchema.entries,
  ended: v.exactOptional(v.custom<Ended>(isEnded, "must be an object with an `exitCode`: a number or null")),
  now: v.exactOptional(functionOf<() => string>()),
});

function isEnded(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("exitCode" in value)) return false;
  return value.exitCode === null || Number.isInteger(value.exitCode);
}

/** All events of a finished stream of native lines, in order. */
export function translate(
  agent: AgentId | TranslatedAgent,
  lines: Iterable<string>,
  options: TranslateOptions = {},
): Generator<HarnessEvent> {
  const {
    ended = { exitCode: 0 },
    now = currentTime,
    ...rest
  } = checkOptions(TranslateOptionsSchema, options, "options");
  if (typeof lines === "string" || typeof lines?.[Symbol.iterator] !== "function") {
    const message = 'lines must be the lines, one by one; split a text with `.split("\\n")`';
    throw new HarnessError("invalid_option", message);
  }
  const steps = createSteps(requireTranslated(agent), { hasTiming: false, ...rest });
  return eventsOf(steps, lines, ended, now);
}

function currentTime(): string {
  return new Date().toISOString();
}

function* eventsOf(
  steps: Steps,
  lines: Iterable<string>,
  ended: Ended,
  now: () => string,
): Generator<HarnessEvent> {
  for (const step of steps.start(now())) yield* step.events;
  for (const line of lines) yield* steps.push({ timestamp: now(), stream: "stdout", line }).events;
  yield* steps.end(ended, now()).events;
}
