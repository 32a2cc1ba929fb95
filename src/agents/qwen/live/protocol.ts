import { asObject, asText, numberIn } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Operation, Sink } from "../../contract.js";
import type { CallFields, Cause, Ending } from "../../shared/acp/dialect.js";
import { causeOf } from "../../shared/acp/failure.js";
import { factsOf } from "../../shared/acp/known-agents.js";
import { acpProtocol } from "../../shared/acp/protocol.js";
import { wholeList } from "../../shared/todos.js";
import { toOperations, toolRuleOf } from "../../shared/tool-table.js";
import { createShell } from "../shell.js";
import { qwenTools, subagentTool } from "../tools.js";
import { launchQwenSession, qwenModes } from "./launch.js";

/**
 * `qwen --acp`. Calls that it asks about come without a name, and a refused one is not mentioned again. "Always" is written to the
 * settings of the project or the user, so it is not offered. Its questions arrive, but there is no way to answer them.
 */
export const qwenLive = acpProtocol({
  dialect: {
    facts: factsOf("qwen-code"),
    nameOf,
    operationsOf,
    endCall,
    causeOf: causeOfError,
    todoTools: { todo_write: wholeList },
    modelNameOf,
  },
  peer: { modeOf: ({ permissions }) => qwenModes[permissions], canSetModel: true, settleMsOf },
  abilities: {
    ask: true,
    questions: false,
    always: false,
    usage: "request",
    cost: false,
    plan: true,
    resume: true,
  },
  unasked: [],
  launch: launchQwenSession,
});

/** The tool of a call without a name, by a field that only its input has. */
const toolsByField: readonly (readonly [kind: string | undefined, field: string, tool: string])[] = [
  ["execute", "command", "run_shell_command"],
  ["edit", "old_string", "edit"],
  ["edit", "content", "write_file"],
  ["edit", "notebook_path", "notebook_edit"],
  [undefined, "questions", "ask_user_question"],
  [undefined, "subagent_type", subagentTool],
  [undefined, "plan", "exit_plan_mode"],
  ["read", "file_path", "read_file"],
];

function nameOf({ toolName, kind, input }: CallFields): string | undefined {
  const fields = asObject(input) ?? {};
  const known = toolsByField.find(([of, field]) => (of === undefined || of === kind) && field in fields);
  return toolName ?? known?.[2];
}

function operationsOf(name: string, { input }: CallFields, cwd: string | undefined): Operation[] {
  const rule = toolRuleOf(qwenTools, name);
  return rule === undefined ? [] : toOperations(rule, input, cwd);
}

/** The result of a command is the same text as in one-shot runs. */
function endCall({ call, how, version }: Ending, out: Sink): void {
  if (qwenTools[call.name]?.as !== "shell" || !call.operations?.length) return out.finish(call, how);
  const shell = createShell();
  shell.identify(version);
  const isCancelled =
    typeof how.output === "string" && how.output.startsWith("Command was cancelled by user");
  shell.end(call, isCancelled ? { ...how, isSuccess: false } : how, out);
}

/** `data.details` begins with the HTTP status, if there was a response. */
function causeOfError(error: JsonObject): Cause {
  const cause = causeOf(error);
  const status = numberIn(cause.message, /^([45]\d\d) /);
  // Node's word for a connection that ended in the middle of an answer.
  return cause.message === "terminated" ? { ...cause, kind: "network" } : { ...cause, status };
}

/** The id of a model from the environment is made up: `$runtime|openai|gpt-5(openai)`. */
function modelNameOf(id: string, models: readonly JsonValue[]): string | undefined {
  const model = models.map(asObject).find((entry) => entry?.["modelId"] === id);
  return asText(model?.["name"]);
}

/** Up to 0.15 the last answer was missing from the session file if the process ended at once. 0.24.4 writes it first. */
function settleMsOf(version: string | undefined): number {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > 0 || minor >= 24 ? 0 : 4000;
}
