import { formats } from "../../outputs/registry.js";
import { spellSafely, toJson } from "../../text/to-json.js";
import type { Reader, StepWriter } from "../step-writer.js";

/** `--format json`: one object at the end; on a terminal, where a person reads it, with line breaks. */
export function createReportWriter({ terminal, recording }: Reader): StepWriter {
  const view = formats.json.create();
  return (step) => {
    const [report] = view.push(step.events);
    if (report === undefined) return "";
    const path = recording?.();
    const whole = { ...report, ...(path !== undefined && { recording: path }) };
    return `${spellSafely(terminal === undefined ? toJson(whole) : JSON.stringify(whole, null, 2))}\n`;
  };
}
