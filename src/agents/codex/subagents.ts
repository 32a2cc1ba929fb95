import { cutEndOf } from "../../text/cut.js";
import { asArray, asObject, asText, asTexts, firstText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { causeOf } from "./cause.js";

type Ending = "subagent_completed" | "subagent_failed";

/** States that an agent does not leave by itself. `not_found`: the agent is gone, or never existed. */
const endings: ReadonlyMap<string, Ending> = new Map([
  ["completed", "subagent_completed"],
  ["errored", "subagent_failed"],
  ["interrupted", "subagent_failed"],
  ["shutdown", "subagent_failed"],
  ["not_found", "subagent_failed"],
]);

/** `collab_tool_call` items. */
export interface Subagents {
  /** What a call is about: a new task, or the tasks of the subagents that it waits for, closes or writes to. */
  input(item: JsonObject): JsonObject;
  /** The states of the subagents of a call, for people. Their ids are in the input. */
  output(item: JsonObject): JsonValue | undefined;
  /** A call has completed. */
  report(item: JsonObject, callId: string, out: Sink): void;
  /** A record of the subagent's own says that its work is over. Only `app-server` has them. */
  over(subagentId: string, isSuccess: boolean, callId: string, out: Sink): void;
}

/**
 * - `spawn_agent` starts a subagent. Its id is the receiver thread. It has no name, so its role is used, or
 *   else its task (0.166.0 has only the task).
 * - Any later call can report that a subagent has ended. It ends once.
 * - `close_agent` reports the state before the call. A subagent that was still at work is stopped by it.
 * - An id that the model made up is not a subagent.
 * - Codex exits without waiting for subagents that no call waits for (0.166.0).
 */
export function createSubagents(): Subagents {
  /** The names of the subagents that were started, by id. */
  const started = new Map<string, string | undefined>();
  const ended = new Set<string>();

  function start(subagentId: string, item: JsonObject, callId: string, out: Sink): void {
    const subagentName = nameOf(item);
    started.set(subagentId, subagentName);
    out.emit({ type: "orchestration", action: "subagent_started", subagentId, subagentName, callId });
    noteAbandoned(out);
  }

  function noteAbandoned(out: Sink): void {
    out.run.abandoned = [...started].flatMap(([id, name]) =>
      ended.has(id) ? [] : [`subagent ${name === undefined ? id : `"${name}"`}`],
    );
  }

  function end(subagentId: string, action: Ending, callId: string, out: Sink): void {
    if (ended.has(subagentId)) return;
    ended.add(subagentId);
    const isSuccess = action === "subagent_completed";
    const subagentName = started.get(subagentId);
    out.emit({ type: "orchestration", action, subagentId, subagentName, isSuccess, callId });
    noteAbandoned(out);
  }

  return {
    input(item) {
      const prompt = asText(item["prompt"]);
      const ids = asArray(item["receiver_thread_ids"]);
      const names = idsOf(item).flatMap((id) => started.get(id) ?? []);
      return {
        ...(prompt !== undefined && { prompt }),
        ...(prompt === undefined && names.length > 0 && { task: names.join(", ") }),
        ...(ids !== undefined && { receiver_thread_ids: ids }),
      };
    },
    output(item) {
      const states = Object.entries(asObject(item["agents_states"]) ?? {});
      const lines = states.map(([id, state]) =>
        [...(states.length > 1 ? [started.get(id) ?? id] : []), ...wordsOfState(state)].join(": "),
      );
      return lines.length === 0 ? undefined : lines.join("\n");
    },
    report(item, callId, out) {
      const isDone = item["status"] === "completed";
      if (item["tool"] === "spawn_agent") {
        if (item["status"] === "failed") {
          const subagentName = nameOf(item);
          const action = "subagent_failed";
          return out.emit({ type: "orchestration", action, subagentName, isSuccess: false, callId });
        }
        for (const id of idsOf(item)) start(id, item, callId, out);
      }
      for (const [subagentId, state] of Object.entries(asObject(item["agents_states"]) ?? {})) {
        const status = asText(asObject(state)?.["status"]) ?? "";
        const action = endings.get(status);
        if (action !== undefined && (status !== "not_found" || started.has(subagentId)))
          end(subagentId, action, callId, out);
        else if (item["tool"] === "close_agent" && isDone) end(subagentId, "subagent_failed", callId, out);
      }
    },
    over(subagentId, isSuccess, callId, out) {
      if (started.has(subagentId))
        end(subagentId, isSuccess ? "subagent_completed" : "subagent_failed", callId, out);
    },
  };
}

function idsOf(item: JsonObject): string[] {
  return asTexts(item["receiver_thread_ids"]);
}

const longestName = 80;

/** The role of a subagent, else the first line of its task. */
function nameOf(item: JsonObject): string | undefined {
  const name = firstText(item, ["agent_role", "agent_type", "role", "prompt"]);
  const [line = ""] = name?.trim().split("\n") ?? [];
  return line === "" ? undefined : cutEndOf(line.trimEnd(), longestName);
}

/** The answer of a subagent. If it has none, or has failed, its state comes first. */
function wordsOfState(state: JsonValue): string[] {
  const { status, message } = asObject(state) ?? {};
  const words = asText(message);
  const said = words === undefined ? [] : [causeOf(words).message];
  return status === "completed" && said.length > 0 ? said : [asText(status) ?? "unknown", ...said];
}
