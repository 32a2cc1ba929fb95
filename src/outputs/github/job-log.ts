import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSummary } from "../../story/create-summary.js";
import { outputText } from "../../story/failure-reason.js";
import { hasFailed } from "../../story/outcomes.js";
import { cutText, toVisibleLine } from "../../text/cut.js";
import { formatCount } from "../../text/numbers.js";
import type { Output, OutputOptions } from "../contract.js";
import type { TextRows } from "../text-rows.js";
import { toAnnotations } from "./annotations.js";
import { toCommand, toInertLines } from "./commands.js";

/**
 * A run in the log of a job: masks first, then rows as `text` has them. What a command printed is folded below its row. Groups cannot
 * be nested, so each is closed at once. Annotations come last, when the check is known as well.
 */
export function createJobLog(rows: TextRows, options: OutputOptions): Output {
  const { secrets = [], check, agentName, prompt = "" } = options;
  const summary = createSummary();
  let agent = agentName;
  let hasBegun = false;

  function begin(): string[] {
    if (hasBegun) return [];
    hasBegun = true;
    return [...secrets.map((secret) => toCommand("add-mask", secret)), ...promptRows(prompt)];
  }

  return {
    push(steps) {
      const lines = steps.some(({ events }) => events.length > 0) ? begin() : [];
      for (const { events } of steps) {
        for (const event of events) {
          summary.add(event);
          if (event.type === "started") agent ??= event.agent;
        }
        for (const row of rows.push(events)) for (const line of toInertLines(row)) lines.push(line);
        for (const line of groupsOf(events)) lines.push(line);
      }
      return toPieces(lines);
    },
    end() {
      const isEmpty = !hasBegun;
      const lines = [...begin(), ...rows.end().flatMap((row) => toInertLines(row))];
      const annotated = { agentName: agent ?? "The agent", check: check?.() };
      return toPieces(isEmpty ? lines : [...lines, ...toAnnotations(summary.read(), annotated)]);
    },
  };
}

function toPieces(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${lines.join("\n")}\n`];
}

/** What was asked, in one row or folded. */
function promptRows(prompt: string): string[] {
  const lines = shortened(prompt);
  const [first = ""] = lines;
  if (lines.length > 1) return toGroup(`Prompt: ${toVisibleLine(first, longestTitle)}`, lines);
  return first === "" ? [] : toInertLines(`Prompt: ${first.trim()}`);
}

/** What commands printed, and what failed calls answered. One line is in the row already if the call failed. */
function groupsOf(events: readonly HarnessEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "tool_end") return [];
    const command = events
      .filter((other) => other.type === "command")
      .find(({ callId }) => callId === event.callId);
    const isFailed = hasFailed(event) || (command !== undefined && hasFailed(command));
    if (command === undefined && !isFailed) return [];
    const shown = shortened(outputText(event.output));
    if (shown.length === 1 && isFailed) return [];
    return toGroup(titleOf(event, command), shown);
  });
}

const longestTitle = 120;

function titleOf({ name }: EventOf<"tool_end">, command: EventOf<"command"> | undefined): string {
  return `Output of ${toVisibleLine(command?.command ?? name, longestTitle)}`;
}

/**
 * A single line needs no fold. The bar keeps problem matchers away: what failed in the middle of a run is not a problem of the
 * job.
 */
function toGroup(title: string, lines: readonly string[]): string[] {
  const inside = lines.flatMap((line) => toInertLines(line, "  │ "));
  if (inside.length < 2) return inside;
  const [head = ""] = toInertLines(title);
  return [toCommand("group", head), ...inside, toCommand("endgroup")];
}

const longestOutput = 1_000_000;
const mostLines = 300;
const longestLine = 2000;

/** The beginning and the end of a long output, without empty lines around it. */
function shortened(output: string): string[] {
  const { head, tail, omitted } = cutText(output, longestOutput);
  const all = (omitted === 0 ? head : `${head}\n…\n${tail}`).split(/\r\n?|\n/);
  const first = all.findIndex((line) => line.trim() !== "");
  if (first === -1) return [];
  const last = all.findLastIndex((line) => line.trim() !== "");
  const lines = all.slice(first, last + 1);
  const missing = lines.length - mostLines;
  const kept =
    missing <= 0
      ? lines
      : [
          ...lines.slice(0, mostLines / 3),
          `… ${formatCount(missing)} lines left out …`,
          ...lines.slice((mostLines / 3) * -2),
        ];
  return kept.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
}
