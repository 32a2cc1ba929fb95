import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { commandPath, harness, homeEnvironment, program, temporaryDirectory } from "./harness.js";

/** Speaks for as long as it is let. */
const agent = program(`
  const item = { type: "agent_message", text: "and so on" };
  setInterval(() => console.log(JSON.stringify({ type: "item.completed", item })), 20);
`);

function runInto(reader: string, format: string): string {
  const command = `"${process.execPath}" "${commandPath}" run -a codex -p x --binary "${agent}" --format ${format}`;
  return `${command} | ${reader}; echo "\${PIPESTATUS[0]}"`;
}

it.each(["full", "ndjson", "events", "raw", "text"])(
  "a reader that closes the pipe cancels the run, exit code 141 (%s)",
  async (format) => {
    const env = { ...homeEnvironment(), XDG_DATA_HOME: temporaryDirectory() };
    const child = spawn("bash", ["-c", runInto("head -1", format)], { env: { ...process.env, ...env } });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    await once(child, "close");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("141");
    expect(stderr).toBe("");
    const list = await harness(["sessions", "list", "--json"], { env });
    expect(JSON.parse(list.stdout.toString())).toEqual([expect.objectContaining({ outcome: "cancelled" })]);
  },
);
