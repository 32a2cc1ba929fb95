import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { newCall, withNative } from "../shared/call-shapes.js";
import { finishedOf, operationsAfter, operationsOf } from "./tools.js";

/** `tool.execution_start` and `tool.execution_complete`. Calls that run at once complete in any order. */
export interface Calls {
  start(record: JsonObject, parentCallId: string | undefined, out: Sink): void;
  complete(record: JsonObject, out: Sink): void;
  /** `session.skills_loaded`: the only record that names the files of skills. */
  skillsLoaded(record: JsonObject, out: Sink): void;
}

export function createCalls(): Calls {
  const skills = new Map<string, string>();

  return {
    start(record, parentCallId, out) {
      const data = asObject(record["data"]) ?? {};
      const callId = asText(data["toolCallId"]);
      const name = asText(data["toolName"]);
      if (callId === undefined || name === undefined || out.call(callId) !== undefined) return;
      const input = data["arguments"];
      const operations = operationsOf(name, input, out.cwd, skills);
      out.open(newCall({ callId, name, input, parentCallId, operations, native: record }));
    },
    complete(record, out) {
      const data = asObject(record["data"]) ?? {};
      const call: OpenCall | undefined = out.call(asText(data["toolCallId"]) ?? "");
      if (call === undefined) return;
      call.operations = operationsAfter(call, data, out.cwd);
      out.finish(call, withNative(finishedOf(call, data), record));
    },
    skillsLoaded(record, out) {
      for (const skill of asArray(asObject(record["data"])?.["skills"]) ?? []) {
        const fields = asObject(skill);
        const name = asText(fields?.["name"]);
        const path = asText(fields?.["path"]);
        if (name !== undefined && path !== undefined) skills.set(name, path);
      }
      out.consume("session.skills_loaded");
    },
  };
}
