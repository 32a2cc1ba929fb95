import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../../contract.js";
import { createConversation } from "./conversation.js";
import type { Dialect } from "./dialect.js";
import { createDirectories } from "./directories.js";
import { createHeldSkills } from "./held-skills.js";
import { createOpenWork } from "./open-work.js";
import { createPartials } from "./partials.js";
import { createResultRecord } from "./result.js";
import { createSubagents } from "./subagents.js";
import { createSystemRecords } from "./system.js";

/** The stream that Claude Code prints with `--output-format stream-json`. Other agents print the same shape. */
export function createClaudeStream(dialect: Dialect, options: TranslatorOptions = {}): Mapping {
  const directories = createDirectories(dialect, options.cwd);
  const subagents = createSubagents();
  const partials = createPartials();
  const openWork = createOpenWork();
  const skills = createHeldSkills();
  const conversation = createConversation({ dialect, directories, subagents, partials, openWork, skills });
  const system = createSystemRecords({ directories, subagents, openWork });

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    system,
    assistant: conversation.assistant,
    user: conversation.user,
    stream_event: partials.record,
    rate_limit_event: rateLimit,
    command_lifecycle: openWork.woken,
    result: createResultRecord(conversation, {
      isResumed: options.isResumed ?? false,
      get hasSubagents() {
        return subagents.hasStarted;
      },
    }),
  };

  return {
    record(record, out) {
      out.identify(asText(record["session_id"]));
      const type = asText(record["type"]) ?? "";
      if (type !== "user" && type !== "system") skills.release(out);
      subagents.heard(asText(record["parent_tool_use_id"]), out);
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    flush(out) {
      skills.release(out);
      conversation.flush(out);
    },
  };
}

/** Rate limits of the account. Only a limit that is near or reached is reported. */
function rateLimit(record: JsonObject, out: Sink): void {
  const info = record["rate_limit_info"];
  const fields = typeof info === "object" && info !== null && !Array.isArray(info) ? info : {};
  const status = asText(fields["status"]);
  if (status === undefined || status === "allowed") return out.consume("rate_limit_event: allowed");
  const kind = asText(fields["rateLimitType"]);
  out.emit({ type: "warning", message: `rate limit${kind ? ` (${kind})` : ""}: ${status}`, code: status });
}
