import type { EventOf } from "../../../src/events/event.js";
import { hasFailed } from "../../../src/story/outcomes.js";
import { durationOfCall } from "../../../src/story/timeline/describe-call.js";
import type { Item } from "../../../src/story/timeline/items.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatDuration, formatOffset } from "../../../src/text/numbers.js";

export interface CommandRow {
  seq: number;
  time: number;
  took?: number | undefined;
  event: EventOf<"command">;
}

/** All commands in order, including those of subagents. */
export function commandsOf(items: readonly Item[], found: CommandRow[] = []): CommandRow[] {
  for (const item of items) {
    if (item.kind === "operation" && item.operation.type === "command")
      found.push({ seq: item.seq, time: item.time, event: item.operation });
    if (item.kind !== "call") continue;
    for (const event of item.operations)
      if (event.type === "command")
        found.push({
          seq: item.seq,
          time: item.time,
          event,
          took: durationOfCall(item),
        });
    commandsOf(item.children, found);
  }
  return found;
}

const shown = 500;

export function Commands({ items, onEvent }: { items: readonly Item[]; onEvent(seq: number): void }) {
  const commands = commandsOf(items);
  if (commands.length === 0) return <p class="dim">No command was run.</p>;
  return (
    <div class="table-scroll">
      <table class="commands">
        <thead>
          <tr>
            <th scope="col">Exit</th>
            <th scope="col">Command</th>
            <th scope="col">At</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {commands.slice(0, shown).map(({ seq, time, took, event }) => (
            <tr key={event.seq} class={hasFailed(event) ? "failed" : ""}>
              <td class="exit-code">{exitOf(event)}</td>
              <td>
                <button type="button" class="link" onClick={() => onEvent(seq)}>
                  <code dir="auto">{toVisibleLine(event.command, 240)}</code>
                </button>
              </td>
              <td>{formatOffset(time)}</td>
              <td>{took === undefined ? "" : formatDuration(took)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {commands.length > shown && <p class="dim">and {commands.length - shown} more</p>}
    </div>
  );
}

export function exitOf(event: EventOf<"command">): string {
  if (event.exitCode !== undefined) return String(event.exitCode);
  if (event.isSuccess === undefined) return "?";
  return event.isSuccess ? "ok" : "failed";
}
