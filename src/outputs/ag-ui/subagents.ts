import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { CallNames } from "../call-names.js";
import { fieldsOf } from "../event-fields.js";
import type { AgUiEvent } from "./schema.js";

/** The subagents of a run, each with one beginning and one end. Its id is the call that started it. */
export interface SubagentRuns {
  /** Begins the subagent that the event belongs to, if no event has announced it. */
  announce(event: HarnessEvent): AgUiEvent[];
  /** Whose an event is. Nothing for the main agent's own. */
  ownerOf(event: HarnessEvent): { subagentRunId?: string };
  add(event: EventOf<"orchestration">): AgUiEvent[];
  /** Ends those that are still open. `problem`: the stream was cut. */
  end(problem: string | undefined): AgUiEvent[];
}

interface Running {
  call: string | undefined;
  /** The agent's own id. Some agents give it only once. */
  subagentId: string | undefined;
  /** Nobody has said that it began. */
  isUnannounced: boolean;
}

export function createSubagentRuns(names: CallNames): SubagentRuns {
  const open = new Map<string, Running>();
  const freshId = createFreshIds();
  /** By call: the first subagent that it started. */
  const ofCall = new Map<string, string>();

  function begin(running: Running, start: Partial<EventOf<"orchestration">>): AgUiEvent[] {
    const { call, subagentId } = running;
    const { subagentName, parentCallId } = start;
    const subagentRunId = freshId(call, subagentId);
    open.set(subagentRunId, running);
    if (call !== undefined && !ofCall.has(call)) ofCall.set(call, subagentRunId);
    const parent = parentCallId === undefined ? undefined : ofCall.get(names.of(parentCallId));
    return [
      {
        type: "SUBAGENT_STARTED",
        subagentRunId,
        name: subagentName ?? subagentId ?? "subagent",
        ...(parent !== undefined && parent !== subagentRunId && { parentSubagentRunId: parent }),
        ...(call !== undefined && { parentToolCallId: call }),
        ...(subagentId !== undefined && { metadata: { harness: { subagentId } } }),
      },
    ];
  }

  function started(event: EventOf<"orchestration">, running: Running): AgUiEvent[] {
    const known = find(open, running.call, running.subagentId);
    const begun = known === undefined ? undefined : open.get(known);
    if (known === undefined || begun?.isUnannounced !== true) return begin(running, event);
    open.set(known, running);
    const value = { ...fieldsOf(event, names) };
    return [{ type: "CUSTOM", name: "harness.orchestration", value, subagentRunId: known }];
  }

  function announce({ parentCallId }: HarnessEvent): AgUiEvent[] {
    if (parentCallId === undefined) return [];
    const call = names.of(parentCallId);
    return ofCall.has(call) ? [] : begin({ call, subagentId: undefined, isUnannounced: true }, {});
  }

  return {
    announce,
    ownerOf({ parentCallId }) {
      const owner = parentCallId === undefined ? undefined : ofCall.get(names.of(parentCallId));
      return owner === undefined ? {} : { subagentRunId: owner };
    },
    add(event) {
      const { action, callId, subagentId } = event;
      const call = callId === undefined ? undefined : names.of(callId);
      const running = { call, subagentId, isUnannounced: false };
      if (action === "subagent_started") return started(event, running);
      const before = find(open, call, subagentId) === undefined ? begin(running, event) : [];
      const subagentRunId = find(open, call, subagentId) ?? "";
      open.delete(subagentRunId);
      const metadata = { harness: { ...fieldsOf(event, names) } };
      const end: AgUiEvent =
        action === "subagent_failed"
          ? { type: "SUBAGENT_ERROR", subagentRunId, message: "the subagent failed", metadata }
          : { type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "success" }, metadata };
      return [...before, end];
    },
    end(problem) {
      // Those that were started last end first.
      const ids = [...open.keys()].reverse();
      open.clear();
      return ids.map((subagentRunId) =>
        problem === undefined
          ? { type: "SUBAGENT_FINISHED", subagentRunId }
          : { type: "SUBAGENT_ERROR", subagentRunId, message: problem },
      );
    },
  };
}

/** The open subagent that an event is about: the same call and id, or one of which either is not known. */
function find(
  open: ReadonlyMap<string, Running>,
  call: string | undefined,
  subagentId: string | undefined,
): string | undefined {
  const fits = [...open].filter(([, each]) => call === undefined || each.call === call);
  const exact = fits.find(([, each]) => each.subagentId === subagentId);
  const loose = fits.find(([, each]) => each.subagentId === undefined || subagentId === undefined);
  return (exact ?? (call === undefined ? undefined : loose))?.[0];
}

/** Ids for subagents that are never used twice. */
function createFreshIds(): (call: string | undefined, subagentId: string | undefined) => string {
  const used = new Set<string>();
  return (call, subagentId) => {
    const base = call ?? subagentId ?? "subagent";
    let id = [base, `${base}/${subagentId ?? ""}`].find((each) => !used.has(each));
    for (let count = 2; id === undefined; count += 1)
      if (!used.has(`${base}#${count}`)) id = `${base}#${count}`;
    used.add(id);
    return id;
  };
}
