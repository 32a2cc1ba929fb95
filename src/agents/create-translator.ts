import type { Ended } from "../outcome/run-state.js";
import type { Translator, TranslatorOptions } from "../translator/contract.js";
import { createFramedTranslator, type TranslatedAgent } from "../translator/frame.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import { requireAgent } from "./registry.js";

/**
 * A translator for one run of an agent.
 *
 * @example
 * const translator = createTranslator("claude", { cwd: "/repo" });
 * for (const line of lines) console.log(translator.line(line, new Date().toISOString()));
 * console.log(translator.end({ exitCode: 0 }));
 */
export function createTranslator(
  agent: string | TranslatedAgent,
  options: TranslatorOptions = {},
): Translator {
  return createFramedTranslator(typeof agent === "string" ? requireAgent(agent) : agent, options);
}

export interface TranslateOptions extends TranslatorOptions {
  /** How the process ended; an exit code of 0 is assumed when it is not known. */
  ended?: Ended;
  /** The time to stamp on events. */
  now?: () => string;
}

/** All events of a finished stream of native lines, in order. */
export function* translate(
  agent: string | TranslatedAgent,
  lines: Iterable<string>,
  options: TranslateOptions = {},
): Generator<HarnessEvent> {
  const now = options.now ?? (() => new Date().toISOString());
  const translator = createTranslator(agent, { hasTiming: false, ...options });
  yield* translator.start(now());
  for (const line of lines) yield* translator.line(line, now());
  yield* translator.end(options.ended ?? { exitCode: 0 }, now());
}
