import type { AgentDefinition } from "../../agents/definition.js";
import type { RunCheck } from "../../events/run-check.js";
import { createSummary } from "../../story/create-summary.js";
import { describeCheck } from "../../story/describe-check.js";
import { nextStepOf } from "../../story/outcomes.js";
import { cleanText } from "../../text/clean-text.js";
import type { JsonValue } from "../../text/json.js";
import { spellSafely, toJson } from "../../text/to-json.js";
import type { PrintTarget } from "../output.js";
import type { Printer } from "./printer.js";

export interface QuietOptions {
  agent: AgentDefinition;
  output: PrintTarget;
  /** The answer goes to a terminal, so control characters are removed. */
  isTerminal: boolean;
  complain: (sentence: string) => void;
  /** What the check after the run found out. */
  check?: (() => RunCheck | undefined) | undefined;
}

/**
 * `--quiet`: the exact answer of a run that succeeded, or its value as one line of JSON if a schema was asked for; otherwise a
 * sentence that says why there is none.
 */
export function createQuietPrinter({ agent, output, isTerminal, complain, check }: QuietOptions): Printer {
  const summary = createSummary();
  let value: JsonValue | undefined;
  return {
    print({ steps }) {
      for (const event of steps.flatMap((step) => step.events)) {
        summary.add(event);
        if (event.type === "result") value = event.output;
      }
      const hasEnded = steps.some((step) => step.events.some((event) => event.type === "exited"));
      if (!hasEnded) return undefined;
      const { outcome, failure, text = "" } = summary.read();
      if (outcome?.isSuccess && value !== undefined) return output.write(`${spellSafely(toJson(value))}\n`);
      const hint = nextStepOf(failure);
      if (outcome?.isSuccess && text !== "")
        return output.write(withLineFeed(isTerminal ? cleanText(text) : text));
      if (outcome?.isSuccess)
        complain(`${agent.name} succeeded without an answer; leave --quiet out to see what it did`);
      else
        complain(
          cleanText(
            [
              `${agent.name} failed (${failure?.kind ?? "unknown"}): ${failure?.message ?? ""}`,
              ...(hint ? [hint] : []),
            ].join("\n"),
          ),
        );
      return undefined;
    },
    end() {
      const checked = check?.();
      if (checked !== undefined && !checked.isSuccess)
        complain(`${describeCheck(checked)}: ${checked.command}`);
      return undefined;
    },
    close: () => undefined,
  };
}

function withLineFeed(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
