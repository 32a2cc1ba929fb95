import { asObject } from "../../../text/fields.js";
import type { Operation } from "../../contract.js";
import type { CallFields, Voice } from "../../shared/acp/dialect.js";
import { factsOf } from "../../shared/acp/known-agents.js";
import { acpProtocol } from "../../shared/acp/protocol.js";
import { operationsOf } from "../tools.js";
import { copilotGranted } from "./granted.js";
import { launchCopilotSession } from "./launch.js";

/**
 * `copilot --acp --stdio`. Its calls have no names: the kind and the fields of the input say which tool it is. Its own notices and
 * failures are text between the model's words. It reads files without asking.
 */
export const copilotLive = acpProtocol({
  dialect: {
    facts: factsOf("Copilot"),
    nameOf,
    operationsOf: (name: string, { input }: CallFields, cwd: string | undefined): Operation[] =>
      operationsOf(name, input, cwd, noSkills),
    voiceOf,
  },
  peer: { optionsOf: ({ permissions }) => ({ allow_all: permissions === "full-access" ? "on" : "off" }) },
  abilities: {
    ask: true,
    questions: false,
    always: true,
    usage: "turn",
    cost: false,
    plan: true,
    resume: true,
  },
  unasked: ["read", "search", "list", "skill"],
  granted: copilotGranted,
  launch: launchCopilotSession,
});

/** Only the records of one-shot runs name the files of skills. */
const noSkills: ReadonlyMap<string, string> = new Map();

/** Which tool a call uses, by its kind and a field that only its input has. */
const toolsByField: readonly (readonly [kind: string, field: string, tool: string])[] = [
  ["execute", "command", "bash"],
  ["edit", "file_text", "create"],
  ["edit", "old_str", "edit"],
  ["read", "output_mode", "grep"],
  ["read", "pattern", "glob"],
  ["read", "path", "view"],
  ["other", "agent_type", "task"],
  ["other", "query", "sql"],
  ["other", "skill", "skill"],
];

function nameOf({ kind = "other", input, title = "" }: CallFields): string | undefined {
  if (typeof input === "string" && kind === "edit") return "apply_patch";
  const fields = asObject(input) ?? {};
  if (kind === "read" && title.startsWith("Searching for")) return "grep";
  return toolsByField.find(([of, field]) => of === kind && field in fields)?.[2];
}

/** Whole chunks with which Copilot itself speaks (1.0.102). */
const voices: readonly (readonly [RegExp, (text: string) => Voice])[] = [
  [/^Info: .*Retrying\.\.\.$/, (text) => ({ as: "retry", message: text.slice("Info: ".length) })],
  [/^Info: Operation cancelled by user$/, () => ({ as: "warning", message: "Operation cancelled by user" })],
  [/^Info: \/\S*$/, () => ({ as: "nothing", rule: "agent_message_chunk: the file that was written" })],
  [/^Error: \S/, () => ({ as: "suspect" })],
];

function voiceOf(text: string): Voice | undefined {
  return voices.find(([pattern]) => pattern.test(text))?.[1](text);
}
