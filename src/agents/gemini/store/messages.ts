import { asArray, asCount, asObject, asText, isObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { countTokensOfWholeInput } from "../../shared/tokens.js";
import type { StoredLine } from "../../store-contract.js";

/** What the lines of a session say. */

/** The key of lines of a subagent's file, with the id of the subagent. */
export const subagentKey = "$subagent";

/** The line of a subagent's file, with the id of the subagent in front. */
export function subagentMark(line: StoredLine, id: string): StoredLine {
  const text = line.line?.trim();
  if (text === undefined || !/^\{.+\}$/s.test(text)) return line;
  const rest = text.slice(1).trimStart();
  return {
    ...line,
    line: `{${JSON.stringify(subagentKey)}:${JSON.stringify(id)}${rest === "}" ? "" : ","}${rest}`,
  };
}

/** The calls of a message. */
export function callsIn(record: JsonObject | undefined): JsonObject[] {
  return (asArray(record?.["toolCalls"]) ?? []).flatMap((value) => (isObject(value) ? [value] : []));
}

/** The subagents that the calls of a message started. */
export function agentsIn(record: JsonObject | undefined): string[] {
  return callsIn(record).flatMap((call) => asText(call["agentId"]) ?? []);
}

/** When the last call of a message ended. What a subagent did follows its call, so that one counts from its beginning. */
export function latestCall(record: JsonObject): string | undefined {
  if (agentsIn(record).length > 0) return undefined;
  const times = callsIn(record).flatMap((call) => asText(call["timestamp"]) ?? []);
  return times.sort().at(-1);
}

/** What somebody asked for: also a command, which may or may not be given to the model. Undefined for any other line. */
export function promptIn(record: JsonObject): string | undefined {
  if (record["type"] !== "user" || record[subagentKey] !== undefined) return undefined;
  const text = textOf(record["displayContent"]) ?? textOf(record["content"]);
  return text === undefined || ownContext.test(text) ? undefined : text;
}

/** What Gemini CLI itself adds to the conversation. */
const ownContext = /^\s*<(?:session_context|hook_context)>/;

/** The text of a content: a text, or parts of which some are texts. Undefined if there is nothing to read. */
export function textOf(content: JsonValue | undefined): string | undefined {
  if (typeof content === "string") return asText(content);
  const parts = (asArray(content) ?? []).flatMap((part) => {
    if (typeof part === "string") return part;
    const object = asObject(part) ?? {};
    if (object["thought"] === true) return [];
    const isFile = object["inlineData"] !== undefined || object["fileData"] !== undefined;
    return asText(object["text"]) ?? (isFile ? "[file]" : []);
  });
  return asText(parts.join(""));
}

/** What the model thought, piece by piece. */
export function thoughtsIn(record: JsonObject): string[] {
  return (asArray(record["thoughts"]) ?? []).flatMap((value) => {
    const { subject, description } = asObject(value) ?? {};
    return (
      asText([asText(subject), asText(description)].filter((text) => text !== undefined).join("\n")) ?? []
    );
  });
}

/** The input includes cached tokens. The output excludes reasoning. What tools added to the prompt is counted apart (0.61.0). */
export function tokensIn(record: JsonObject): ReturnType<typeof reported> | undefined {
  const tokens = asObject(record["tokens"]);
  return tokens === undefined ? undefined : reported(tokens);
}

function reported(tokens: JsonObject) {
  const [input, output, thoughts, tool, cacheRead] = ["input", "output", "thoughts", "tool", "cached"].map(
    (name) => asCount(tokens[name]),
  );
  const generated =
    output === undefined && thoughts === undefined ? undefined : (output ?? 0) + (thoughts ?? 0);
  const counts = countTokensOfWholeInput({
    input: input === undefined ? undefined : input + (tool ?? 0),
    cacheRead,
    output: generated,
    reasoning: thoughts,
  });
  const { inputTokens, outputTokens, reasoningTokens } = counts;
  return {
    counts,
    reported: { input: inputTokens, cacheRead, output: outputTokens, reasoning: reasoningTokens },
  };
}

/**
 * The words for the screen say how a command ended, and where a skill is. Of other tools, what the model got says more.
 */
const shownTools: ReadonlySet<string> = new Set(["run_shell_command", "activate_skill"]);

/** A call that is over, as the records of the stream that say the same. */
export function recordsOf(call: JsonObject): { start: JsonObject; end: JsonObject } {
  const { id = null, name = null, args = null, status = null } = call;
  const error = answerOf(call, "error");
  const shown = call["resultDisplay"];
  const words = typeof shown === "string" ? shown : undefined;
  const answer = answerOf(call, "output");
  const output = (shownTools.has(asText(name) ?? "") ? (words ?? answer) : (answer ?? words)) ?? null;
  return {
    start: { type: "tool_use", tool_id: id, tool_name: name, parameters: args },
    end: {
      type: "tool_result",
      tool_id: id,
      status: status === "success" ? "success" : "error",
      output,
      ...(error !== undefined && { error: { message: error } }),
    },
  };
}

/** What the model got for a call. */
function answerOf(call: JsonObject, key: "output" | "error"): string | undefined {
  const parts = asArray(call["result"]) ?? [];
  const texts = parts.flatMap((part) => {
    const response = asObject(asObject(asObject(part)?.["functionResponse"])?.["response"]);
    return typeof response?.[key] === "string" ? [response[key]] : [];
  });
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** False for a message that Gemini CLI has made of its history: it has its calls as parts, and no tokens. */
export function isAnswer(record: JsonObject): boolean {
  if (record["type"] !== "gemini") return true;
  return asObject(record["tokens"]) !== undefined || typeof record["content"] === "string";
}
