import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { AcpDialect } from "./dialect.js";
import { readSessionState } from "./session-state.js";
import type { AcpUsage } from "./usage.js";

/** The sessions that harness has opened. */
export interface OwnSessions {
  /** `session/load` was sent: the agent repeats the history of the session. Gemini CLI does not wait with its answer until the end. */
  loading(params: JsonObject): void;
  /** The first prompt: what follows is new. */
  prompted(params: JsonObject): void;
  refused(params: JsonObject): void;
  /** The answer to `session/new`, `session/load`, `session/resume` or `session/fork`. */
  opened(answer: JsonObject, params: JsonObject, out: Sink): void;
  /** A record with the options of the session. Its model may be another one now. */
  modelChanged(answer: JsonObject, out: Sink): void;
  /** Why an update is not part of the conversation. Undefined: it is. */
  ruleFor(params: JsonObject): string | undefined;
}

interface Parts {
  dialect: AcpDialect;
  usage: AcpUsage;
  /** The directory of the run. */
  cwd: string | undefined;
}

export function createOwnSessions({ dialect, usage, cwd }: Parts): OwnSessions {
  const own = new Set<string>();
  const loading = new Set<string>();

  function announce(answer: JsonObject, directory: string | undefined, out: Sink): void {
    const { model, models } = readSessionState(answer);
    const name = model === undefined ? undefined : (dialect.modelNameOf?.(model, models) ?? model);
    out.session({ model: name, cwd: directory });
  }

  return {
    loading(params) {
      loading.add(asText(params["sessionId"]) ?? "");
      usage.opened(false);
    },
    prompted(params) {
      loading.delete(asText(params["sessionId"]) ?? "");
    },
    refused(params) {
      loading.delete(asText(params["sessionId"]) ?? "");
    },
    opened(answer, params, out) {
      const id = asText(answer["sessionId"]) ?? asText(params["sessionId"]);
      const isNew = params["sessionId"] === undefined;
      if (id !== undefined) own.add(id);
      // Gemini CLI is given ids with a space before them.
      out.identify(id?.trim());
      if (isNew) usage.opened(true);
      announce(answer, asText(params["cwd"]) ?? cwd, out);
    },
    modelChanged(answer, out) {
      if (readSessionState(answer).model !== undefined) announce(answer, undefined, out);
    },
    ruleFor(params) {
      const id = asText(params["sessionId"]);
      if (id === undefined) return undefined;
      if (loading.has(id)) return "session/load: repeated history";
      return own.size > 0 && !own.has(id) ? "update of another session" : undefined;
    },
  };
}
