import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { createParts, type Parts } from "../opencode-stream/parts.js";
import { createUsage, type Usage } from "../opencode-stream/usage.js";

/** One session of the server that belongs to ours: the main one, or a subagent's. */
export interface Thread {
  readonly id: string;
  readonly isMain: boolean;
  /** The call that started the subagent. Its session's id stands for it until the call is known. */
  readonly parentCallId: string | undefined;
  /** Of this turn. */
  readonly parts: Parts;
  /** Errors that were reported in this turn. */
  readonly errors: Set<string>;
}

/** The sessions that belong to ours. Other sessions of the same server are not followed. */
export interface Threads {
  readonly main: Thread | undefined;
  setMain(id: string): void;
  find(id: string | undefined): Thread | undefined;
  /** A session as the server describes it. It is followed if its parent is. */
  described(info: JsonObject): void;
  /** A call says which session it has started. */
  started(sessionId: string, callId: string): void;
  /** The next turn begins: its figures and its errors are its own. */
  reset(): void;
}

interface Member extends Thread {
  parts: Parts;
  callId: string | undefined;
}

export function createThreads(): Threads {
  const members = new Map<string, Member>();
  let main: Member | undefined;
  let usage: Usage = createUsage();

  function add(id: string, isMain: boolean): Member {
    const member: Member = {
      id,
      isMain,
      callId: undefined,
      errors: new Set(),
      get parentCallId() {
        return isMain ? undefined : (member.callId ?? id);
      },
      parts: createParts({ usage, parentCallId: () => member.parentCallId }),
    };
    members.set(id, member);
    return member;
  }

  return {
    get main() {
      return main;
    },
    setMain(id) {
      if (main?.id !== id) main = add(id, true);
    },
    find: (id) => (id === undefined ? undefined : members.get(id)),
    described(info) {
      const id = asText(info["id"]);
      const parent = asText(info["parentID"]);
      if (id === undefined || parent === undefined || members.has(id) || !members.has(parent)) return;
      add(id, false);
    },
    started(sessionId, callId) {
      const member = members.get(sessionId) ?? add(sessionId, false);
      if (!member.isMain) member.callId ??= callId;
    },
    reset() {
      usage = createUsage();
      for (const member of members.values()) {
        member.parts = createParts({ usage, parentCallId: () => member.parentCallId });
        member.errors.clear();
      }
    },
  };
}

/** The session of an event: of its properties, or of the message or the part in them. */
export function sessionOf(properties: JsonObject): string | undefined {
  return (
    asText(properties["sessionID"]) ??
    asText(asObject(properties["part"])?.["sessionID"]) ??
    asText(asObject(properties["info"])?.["sessionID"])
  );
}
