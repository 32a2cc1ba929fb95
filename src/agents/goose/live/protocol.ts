import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Operation } from "../../contract.js";
import type { CallFields, Voice } from "../../shared/acp/dialect.js";
import { factsOf } from "../../shared/acp/known-agents.js";
import { acpProtocol } from "../../shared/acp/protocol.js";
import { createVoices, isGivingUp } from "../own-voice.js";
import { isSilentTool, operationsOf, todoTool } from "../tools.js";
import { gooseGranted } from "./granted.js";
import { gooseModes, launchGooseSession } from "./launch.js";

/**
 * `goose acp`. Before it uses a tool it asks, in the mode `approve`, for every tool but not for what its subagents do: whoever allows
 * the tool `delegate` allows everything. "Always" covers a whole tool and is written to the user's configuration, so it
 * is not offered.
 */
export const gooseLive = acpProtocol({
  dialect: {
    facts: factsOf("goose"),
    operationsOf: (name: string, { input }: CallFields, cwd: string | undefined): Operation[] =>
      operationsOf(name, input, cwd),
    isSilent: isSilentTool,
    todoTools: { todo__todo_write: todoTool },
    voiceOf,
  },
  peer: {
    modeOf: ({ permissions }) => gooseModes[permissions],
    canSteer: true,
    canSetModel: true,
  },
  abilities: {
    ask: true,
    questions: false,
    always: false,
    usage: "request",
    cost: true,
    plan: true,
    resume: true,
  },
  unasked: [],
  granted: gooseGranted,
  launch: launchGooseSession,
});

/** Goose reports as text that it gave up, and ends the turn as if nothing had happened. */
function voiceOf(text: string, chunk: JsonObject): Voice | undefined {
  if (isGivingUp(text)) return { as: "failure" };
  const isOwn = createVoices()({ text, messageId: asText(chunk["messageId"]), hasInference: false });
  return isOwn ? { as: "suspect" } : undefined;
}
