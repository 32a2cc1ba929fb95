import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../../contract.js";
import { createConversation } from "./conversation.js";
import type { Dialect } from "./dialect.js";
import { createDirectories } from "./directories.js";
import { createHeldSkills } from "./held-skills.js";
import { createNotices } from "./notices.js";
import { createOpenWork } from "./open-work.js";
import { createPartials } from "./partials.js";
import { createRateLimits } from "./rate-limits.js";
import { createResultRecord } from "./result.js";
import { createSubagents } from "./subagents.js";
import { createSystemRecords } from "./system.js";

/** The mapping of one stream, and what a live session asks it. */
export interface ClaudeStream extends Mapping {
  flush(out: Sink): void;
  /** Where the main agent works, or the subagent that the call has started. */
  directoryOf(parentCallId: string | undefined): string | undefined;
}

/** The stream that Claude Code prints with `--output-format stream-json`. Qwen Code and Grok print the same shape. */
export function createClaudeStream(dialect: Dialect, options: TranslatorOptions = {}): ClaudeStream {
  const directories = createDirectories(dialect, options.cwd);
  const subagents = createSubagents();
  const partials = createPartials();
  const openWork = createOpenWork(options.live !== undefined);
  const skills = createHeldSkills();
  const notices = createNotices();
  const rateLimits = createRateLimits();
  const conversation = createConversation({
    dialect,
    directories,
    subagents,
    partials,
    openWork,
    skills,
    notices,
    rateLimits,
  });
  const system = createSystemRecords({ directories, subagents, openWork });

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    system,
    assistant: conversation.assistant,
    user: conversation.user,
    stream_event: partials.record,
    rate_limit_event: rateLimits.record,
    command_lifecycle: openWork.woken,
    result: createResultRecord({
      conversation,
      notices,
      rateLimits,
      isResumed: options.isResumed ?? false,
      hasSubagents: () => subagents.hasStarted,
    }),
  };

  return {
    record(record, out) {
      out.identify(asText(record["session_id"]));
      const type = asText(record["type"]) ?? "";
      if (type !== "user" && type !== "system") skills.release(out);
      if (type !== "result" && type !== "system" && type !== "rate_limit_event") notices.release(out);
      subagents.heard(asText(record["parent_tool_use_id"]), out);
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    flush(out) {
      skills.release(out);
      notices.release(out);
      conversation.flush(out);
    },
    directoryOf: directories.of,
  };
}
