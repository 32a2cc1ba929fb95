import { defineAgent } from "harness-stream";

/**
 * A custom agent: `parrot`, a program that prints one JSON object per line:
 *
 *     {"kind":"hello","session":"s-1","model":"macaw-2"}
 *     {"kind":"edit","id":"1","file":"notes.md"}
 *     {"kind":"edited","id":"1","ok":true}
 *     {"kind":"says","text":"Done."}
 *     {"kind":"bye","ok":true,"tokens":{"in":12,"out":34}}
 */
export default defineAgent({
  id: "parrot",
  name: "Parrot",
  install: "cargo install parrot-agent",
  docs: "https://example.com/parrot",
  credentials: ["PARROT_KEY"],
  capabilities: { model: true },

  launch: (task) => ({
    args: ["--jsonl", ...(task.model ? ["--model", task.model] : []), ...task.extraArgs, "--", task.prompt],
  }),

  createMapping() {
    const records = {
      hello(record, out) {
        out.identify(record.session);
        out.session({ model: record.model });
      },
      edit(record, out) {
        const operations = [{ type: "write", path: record.file }];
        out.open({ callId: record.id, name: "edit", input: { file: record.file }, operations });
      },
      edited(record, out) {
        const call = out.call(record.id);
        if (call) out.finish(call, { isSuccess: record.ok === true });
      },
      says(record, out) {
        out.run.text = record.text;
        out.emit({ type: "agent", message: record.text });
      },
      bye(record, out) {
        out.run.terminal = record.ok ? "success" : "failure";
        out.run.terminalLine = out.lineNumber;
        out.run.usage = { inputTokens: record.tokens.in, outputTokens: record.tokens.out, scope: "run" };
        out.consume("bye: how it ended");
      },
    };
    // A record without a rule becomes an `unknown` event automatically.
    return { record: (record, out) => records[record.kind]?.(record, out) };
  },
});
