import { asCount, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { Operation, Sink } from "../../contract.js";
import type { CallFields, Cause, Ending, Voice } from "../../shared/acp/dialect.js";
import { causeOf } from "../../shared/acp/failure.js";
import { factsOf } from "../../shared/acp/known-agents.js";
import { acpProtocol } from "../../shared/acp/protocol.js";
import { finishRunning } from "../../shared/finish-running.js";
import type { ReportedTokens } from "../../shared/tokens.js";
import { toOperations, toolRuleOf } from "../../shared/tool-table.js";
import { finishShell } from "../shell.js";
import { geminiTools } from "../tools.js";
import { geminiModes, launchGeminiSession } from "./launch.js";

/**
 * `gemini --acp`. Its calls have neither input nor output: what they do is read from the title, the locations and the diffs, and
 * nothing says how a command ended. What is allowed for the rest of a session would be below the rule that makes it ask.
 *
 * Loading a session begins a new session file, whose name is the minute and the first 8 characters of the id. Within the minute in
 * which the session began that is its own file, which is emptied (0.61.0). Gemini CLI looks sessions up without the space around an
 * id, but names files with it.
 */
export const geminiLive = acpProtocol({
  dialect: {
    facts: factsOf("gemini-cli"),
    nameOf: ({ callId }: CallFields) => /^(.+?)__/.exec(callId)?.[1],
    operationsOf,
    endCall,
    voiceOf,
    thoughtOf: (text) => text.replace(/^\*\*\*\*\n/, ""),
    tokensOf,
    causeOf: causeOfError,
  },
  peer: {
    modeOf: ({ permissions }) => geminiModes[permissions].id,
    loadIdOf: (sessionId) => ` ${sessionId}`,
    canSetModel: true,
  },
  abilities: {
    ask: true,
    questions: false,
    always: false,
    usage: "turn",
    cost: false,
    plan: false,
    resume: true,
  },
  unasked: [],
  launch: launchGeminiSession,
});

/** A call that lists a directory has the kind of a search. A long path is shortened for people. */
function operationsOf(name: string, { title = "" }: CallFields, cwd: string | undefined): Operation[] {
  const rule = name === "list_directory" ? toolRuleOf(geminiTools, name) : undefined;
  return rule === undefined ? [] : toOperations(rule, title.includes("...") ? {} : { dir_path: title }, cwd);
}

/** A command's outcome is not known, unless a sentence about it is the output. */
function endCall({ call, how }: Ending, out: Sink): void {
  if (call.name !== "run_shell_command" || how.isSuccess !== true) return out.finish(call, how);
  if (typeof how.output === "string") return finishShell(call, how, out);
  finishRunning(call, how, out);
}

/** Every change of the mode is repeated as text. */
function voiceOf(text: string): Voice | undefined {
  return text.startsWith("[MODE_UPDATE] ")
    ? { as: "nothing", rule: "agent_message_chunk: the mode" }
    : undefined;
}

/** The turn's tokens. The input includes cached tokens; the output does not include reasoning, which is counted nowhere. */
function tokensOf(answer: JsonObject): ReportedTokens | undefined {
  const quota = asObject(asObject(answer["_meta"])?.["quota"]);
  const counts = asObject(quota?.["token_count"]);
  return counts && { input: asCount(counts["input_tokens"]), output: asCount(counts["output_tokens"]) };
}

/** The code is the HTTP status if the message is the body of a response. Without a response it is 500 all the same. */
function causeOfError(error: JsonObject): Cause {
  const cause = causeOf(error);
  const body = asObject(asObject(parseJson(cause.message))?.["error"]);
  const message = asText(body?.["message"]);
  if (message !== undefined) return { ...cause, message, code: asText(body?.["status"]) };
  // Node's word for a connection that ended in the middle of an answer.
  const kind = cause.message === "terminated" ? "network" : cause.kind;
  return { ...cause, kind, status: undefined };
}
