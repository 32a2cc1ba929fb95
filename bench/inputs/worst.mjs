import { linesOf } from "./captures.mjs";
import { repeatInto, writeInto } from "./file.mjs";
import { longRun } from "./long-run.mjs";

/** Streams that are unlike ordinary work, each made of records from a real agent. */
export const worstInputs = [
  { name: "growing updates", agent: "pi", build: growingUpdates },
  { name: "partial messages", agent: "claude", build: partialMessages },
  { name: "with lines of 1 MB", agent: "codex", build: withLongLines },
  { name: "lines of 5 MB", agent: "claude", build: longLines },
  { name: "tiny lines", agent: "codex", build: tinyLines },
];

/** Pi 0.74.2 repeats the message so far twice in every update, so the bytes grow with the square of the answer. */
function growingUpdates(megabytes) {
  const record = recordOf(
    "pi",
    ({ assistantMessageEvent: one }) => one?.type === "text_delta" && one.partial,
  );
  let text = "";
  return writeInto("growing-updates.jsonl", megabytes, () => {
    const delta = "all work and no play ";
    text = text.length > 20_000 ? delta : text + delta;
    const { assistantMessageEvent: update, message } = record;
    update.delta = delta;
    update.partial.content[0].text = text;
    message.content[0].text = text;
    return `${JSON.stringify(record)}\n`;
  });
}

/** Claude Code's partial messages: hundreds of bytes for a few letters. */
function partialMessages(megabytes) {
  const lines = linesOf("claude").filter((line) => JSON.parse(line).type === "stream_event");
  return repeatInto("partial-messages.jsonl", `${lines.join("\n")}\n`, megabytes);
}

/** What Codex printed in all captures. Most of it are a few lines of 1 MB. */
function withLongLines(megabytes) {
  return longRun("codex", megabytes, { hasLongLines: true });
}

/** A command that printed 5 MB. */
function longLines(megabytes) {
  const call = recordOf("claude", (one) => firstBlock(one)?.name === "Bash");
  const id = firstBlock(call).id;
  const result = recordOf("claude", (one) => firstBlock(one)?.tool_use_id === id);
  const output = 'a line of output, with a "quote" and a tab\t\n'.repeat(5e6 / 45);
  firstBlock(result).content = output;
  result.tool_use_result = { ...result.tool_use_result, stdout: output };
  return repeatInto("long-lines.jsonl", `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`, megabytes);
}

/** The shortest record: 24 bytes. This measures the cost per line. */
function tinyLines(megabytes) {
  return repeatInto("tiny-lines.jsonl", '{"type":"turn.started"}\n'.repeat(1000), megabytes);
}

function firstBlock(record) {
  return record.message?.content?.[0];
}

function recordOf(agent, isWanted) {
  const found = linesOf(agent)
    .map((line) => JSON.parse(line))
    .find(isWanted);
  if (found === undefined)
    throw new Error(`no capture of ${agent} has the record that this input is built from`);
  return found;
}
