import { asNumber, asObject, asText } from "../../text/fields.js";
import { parseJson } from "../../text/parse-json.js";
import type { Finished, Mapping, OpenCall, Sink, TodoTools } from "../contract.js";
import type { Cause, Dialect } from "../shared/gemini-stream/dialect.js";
import { createGeminiStream } from "../shared/gemini-stream/mapping.js";
import { wholeList } from "../shared/todos.js";
import { finishShell } from "./shell.js";
import { geminiSubagentTools, geminiTools } from "./tools.js";
import { geminiTokens } from "./usage.js";

export const geminiDialect: Dialect = {
  tools: geminiTools,
  subagentTools: geminiSubagentTools,
  tokensOf: geminiTokens,
  cause: causeOf,
  endCall,
};

export const geminiTodoTools: TodoTools = { write_todos: wholeList };

/** Gemini CLI `--output-format stream-json` (recorded with 0.61.0). It never contains reasoning. */
export function createGeminiMapping(): Mapping {
  return { ...createGeminiStream(geminiDialect), todoTools: geminiTodoTools };
}

function endCall(call: OpenCall, how: Finished, out: Sink): void {
  if (call.name === "run_shell_command") return finishShell(call, how, out);
  if (call.name === "activate_skill") locateSkill(call, how);
  out.finish(call, how);
}

/** Only the result says where the skill is: ``Resources loaded from `/repo/.gemini/skills/x` ``. */
function locateSkill(call: OpenCall, how: Finished): void {
  const folder =
    typeof how.output === "string" ? /Resources loaded from `([^`]+)`/.exec(how.output)?.[1] : undefined;
  if (folder === undefined) return;
  call.operations = call.operations?.map((operation) =>
    operation.type === "skill" ? { ...operation, path: `${folder}/SKILL.md` } : operation,
  );
}

/** `[API Error: {…}]`: the message, code and status are read from the body of the API's response. */
function causeOf(message: string): Cause {
  const body = /^\[API Error: (\{.*\})\]/s.exec(message)?.[1];
  const error = asObject(asObject(body === undefined ? undefined : parseJson(body))?.["error"]);
  const words = asText(error?.["message"]);
  if (words === undefined) return { message };
  return { message: words, code: asText(error?.["status"]), status: asNumber(error?.["code"]) };
}
