import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink, TurnEnded } from "../../contract.js";
import type { PiMapping } from "../mapping.js";
import type { RpcSession } from "./session.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * Where a turn begins and ends. Since 0.87 `agent_settled` is the end. In 0.74 it is the last `agent_end`, and only the next
 * record says that it was the last: a retry or a compaction is announced at once, and the answer to any command
 * comes after that. The peer asks for the state, so an answer always follows.
 */
export interface RpcTurn {
  prompted: Handle;
  /** `steer` and `follow_up` were sent. */
  steered: Handle;
  /** `abort` was sent. */
  interrupted: Handle;
  isInterrupted(): boolean;
  /** `response`: the answer to a command. */
  answered: Handle;
  started: Handle;
  attemptEnded: Handle;
  settled: Handle;
  retry: Handle;
  retried: Handle;
  compacting: Handle;
  compacted: Handle;
  /** The process has ended. */
  closed(out: Sink): void;
}

/** The mapping of the turn that runs, and of the next one. */
export interface TurnMappings {
  current(): PiMapping;
  next(): void;
}

/** `sent`: Pi has not begun with the prompt. `over`: it has stopped, and may go on by itself. */
type Phase = "none" | "sent" | "running" | "over";

export function createRpcTurn(session: RpcSession, mappings: TurnMappings): RpcTurn {
  let phase: Phase = "none";
  let prompt: { id: string | undefined; isAccepted: boolean } | undefined;
  /** Pi prints `agent_settled`. */
  let settles = false;
  let isCompacting = false;
  let isInterrupted = false;
  /** What was said between two turns. Pi passes it on with the next prompt. */
  let kept: string[] = [];
  /** Prompts during a turn that Pi may refuse, by the id of the command. */
  const unsure = new Map<string, string>();

  function begin(text: string | undefined, id: string | undefined, out: Sink): void {
    if (phase !== "none") end(out);
    out.live.beginTurn(text === undefined ? { origin: "agent" } : { prompt: text });
    phase = text === undefined ? "running" : "sent";
    prompt = { id, isAccepted: false };
    isInterrupted = false;
    for (const message of kept) session.say(message, out);
    kept = [];
  }

  function end(out: Sink, how: TurnEnded = {}): void {
    session.require(out);
    const wasCut = isInterrupted && mappings.current().forgetError();
    mappings.current().flush?.(out);
    out.live.endTurn(wasCut ? { ...how, isInterrupted: true } : how);
    mappings.next();
    phase = "none";
    prompt = undefined;
    isInterrupted = false;
  }

  /** No run began with the prompt: an extension has dealt with it, or Pi has refused it. */
  function endUnstarted(error: string | undefined, out: Sink): void {
    out.run.terminal = error === undefined ? "success" : "failure";
    out.run.terminalLine = out.lineNumber;
    if (error !== undefined) out.run.failure = { message: error, isReported: false };
    end(out);
  }

  function pass(record: JsonObject, out: Sink): void {
    mappings.current().record(record, out);
  }

  /** Late records must not decide about the next turn. */
  function during(handle: Handle): Handle {
    return (record, out) => {
      if (phase === "none" || phase === "sent") out.consume(`${asText(record["type"])}: of an earlier turn`);
      else handle(record, out);
    };
  }

  function answerToPrompt(record: JsonObject, out: Sink): void {
    const id = asText(record["id"]);
    const isAccepted = asFlag(record["success"]) === true;
    const error = asText(record["error"]) ?? "Pi refused the prompt";
    const text = id === undefined ? undefined : unsure.get(id);
    if (id !== undefined && text !== undefined) {
      unsure.delete(id);
      if (!isAccepted) return out.emit({ type: "warning", message: error, code: "prompt_refused" });
      return asObject(record["data"])?.["disposition"] === "started"
        ? begin(text, id, out)
        : session.say(text, out);
    }
    if (phase !== "sent" || prompt === undefined || prompt.id !== id) return;
    prompt.isAccepted = isAccepted;
    if (!isAccepted) endUnstarted(error, out);
    else if (asObject(record["data"])?.["disposition"] === "handled") endUnstarted(undefined, out);
  }

  return {
    prompted(command, out) {
      const text = asText(command["message"]) ?? "";
      const id = asText(command["id"]);
      if (phase === "none" || phase === "over") return begin(text, id, out);
      if (id === undefined) return session.say(text, out);
      unsure.set(id, text);
      out.consume("prompt during a turn");
    },
    steered(command, out) {
      const text = asText(command["message"]) ?? "";
      if (phase !== "none") return session.say(text, out);
      kept.push(text);
      out.consume("kept for the next turn");
    },
    interrupted(_command, out) {
      out.live.interruptTurn();
      isInterrupted = phase !== "none";
    },
    isInterrupted: () => isInterrupted,
    answered(record, out) {
      if (record["command"] === "prompt") answerToPrompt(record, out);
      if (phase === "over" && !settles && !isCompacting) return end(out);
      const isState = record["command"] === "get_state";
      if (phase === "sent" && prompt?.isAccepted && isState && isIdle(record)) endUnstarted(undefined, out);
    },
    started(record, out) {
      if (phase === "none") begin(undefined, undefined, out);
      phase = "running";
      pass(record, out);
    },
    attemptEnded: during((record, out) => {
      const willRetry = asFlag(record["willRetry"]);
      settles = willRetry !== undefined;
      phase = willRetry === true ? "running" : "over";
      pass(record, out);
    }),
    settled: during((record, out) => {
      const wasCut = isInterrupted && mappings.current().forgetError();
      pass(record, out);
      end(out, wasCut || asFlag(record["aborted"]) === true ? { isInterrupted: true } : {});
    }),
    retry: during((record, out) => {
      phase = "running";
      pass(record, out);
    }),
    /** A retry that was cancelled during its delay has no run of its own. */
    retried: during((record, out) => {
      pass(record, out);
      if (asFlag(record["success"]) !== false) return;
      phase = "over";
      if (out.run.failure === undefined)
        out.run.failure = {
          message: asText(record["finalError"]) ?? "the request failed",
          isReported: false,
        };
    }),
    compacting(record, out) {
      isCompacting = true;
      pass(record, out);
    },
    compacted(record, out) {
      isCompacting = false;
      if (phase === "over" && asFlag(record["willRetry"]) === true) phase = "running";
      pass(record, out);
    },
    closed(out) {
      if (phase === "over") return end(out);
      if (isInterrupted) mappings.current().forgetError();
      mappings.current().flush?.(out);
    },
  };
}

/** The answer to `get_state` of a session that does nothing. */
function isIdle(response: JsonObject): boolean {
  const state = asObject(response["data"]);
  return asFlag(state?.["isStreaming"]) === false && asFlag(state?.["isCompacting"]) !== true;
}
