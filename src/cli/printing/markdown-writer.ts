import type { HarnessEvent } from "../../events/event.js";
import { toMarkdown } from "../../outputs/markdown/transcript.js";
import type { Reader, StepWriter } from "../step-writer.js";

/** `--format markdown`: a transcript of the whole run, when it has ended. */
export function createMarkdownWriter({ prompt = "" }: Reader): StepWriter {
  const events: HarnessEvent[] = [];
  return (step) => {
    for (const event of step.events) events.push(event);
    const exited = step.events.find((event) => event.type === "exited");
    const [first] = events;
    if (first === undefined || exited === undefined) return "";
    const { agent = "unknown", cwd = "" } = first.type === "started" ? first : {};
    const { runId, timestamp: endedAt, reason } = exited;
    const meta = { runId, agent, cwd, prompt, startedAt: first.timestamp, endedAt };
    return toMarkdown({ meta, outcome: reason, events });
  };
}
