import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { harness, program, temporaryDirectory } from "../../cli/harness.js";

const secret = "tr0ub4dor-and-3-horses";
const key = `sk-${"ant"}-api03-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6`;
const answer = `The value is ${secret}, and the key ${key}. password=hunter2`;
const masked =
  "The value is [redacted MY_API_KEY], and the key [redacted anthropic-key]. password=[redacted password]";

/** Prints like Claude Code with `--include-partial-messages`: pieces of three characters, and then the whole. */
function streamingAgent(pieces: string, after: string): string {
  return program(`
    const print = (record) => console.log(JSON.stringify({ ...record, session_id: "s-1", parent_tool_use_id: null }));
    const event = (event) => print({ type: "stream_event", event });
    const answer = ${JSON.stringify(pieces)};
    const secret = process.env.MY_API_KEY;
    print({ type: "system", subtype: "init", cwd: process.cwd(), model: "claude-x" });
    event({ type: "message_start", message: { id: "m-1" } });
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    for (let at = 0; at < answer.length; at += 3) {
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: answer.slice(at, at + 3) } });
    }
    ${after}
  `);
}

const wholeAndEnd = `
    print({ type: "assistant", message: { id: "m-1", role: "assistant", content: [{ type: "text", text: answer }] } });
    event({ type: "content_block_stop", index: 0 });
    event({ type: "message_stop" });
    console.error("on standard error: " + secret);
    print({ type: "result", subtype: "success", is_error: false, result: answer });
`;

interface Told {
  home: string;
  env: Record<string, string>;
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

async function run(agent: string, format: string, flags: readonly string[] = []): Promise<Told> {
  const home = temporaryDirectory();
  const cwd = join(home, `work-${secret}`);
  mkdirSync(cwd);
  const env = { XDG_DATA_HOME: home, HOME: home };
  const args = ["run", "-a", "claude", "--binary", agent, "-p", "Go", "--cwd", cwd, "--format", format];
  const { stdout, stderr, exitCode } = await harness(
    [...args, "--redact", "--env", `MY_API_KEY=${secret}`, ...flags],
    { env },
  );
  return { home, env, stdout: stdout.toString(), stderr, exitCode };
}

function recordedFiles(home: string): Map<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map((file) => [file.name, readFileSync(join(file.parentPath, file.name), "utf8")]));
}

function linesOf(text: string): { type?: string; delta?: string; message?: string; text?: string }[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function expectNoSecret(texts: Iterable<string>): void {
  for (const text of texts) {
    for (const part of [secret.slice(7), key.slice(13), "hunter2"]) expect(text).not.toContain(part);
  }
}

describe("an answer that comes in pieces", () => {
  const agent = streamingAgent(answer, wholeAndEnd);

  it("is masked in its pieces as in the whole, in what is shown and recorded, and replays exactly", async () => {
    const { home, env, stdout, stderr, exitCode } = await run(agent, "full");
    expect(exitCode).toBe(0);
    const events = linesOf(stdout);
    const streamed = events.flatMap(({ type, delta }) => (type === "text" ? [delta] : [])).join("");
    expect(streamed).toBe(masked);
    expect(events.filter(({ type }) => type === "agent").map(({ message }) => message)).toEqual([masked]);
    const files = recordedFiles(home);
    expect(files.size).toBe(4);
    expectNoSecret([stdout, stderr, ...files.values()]);
    const pieces = linesOf(files.get("raw.jsonl") ?? "").length;
    expect(pieces).toBeGreaterThan(answer.length / 3);
    const replayed = await harness(["sessions", "replay", "last", "--format", "full", "--speed", "max"], {
      env,
    });
    expect(replayed.stdout.toString()).toBe(stdout);
  });

  it.each(["text", "markdown", "ndjson", "run-events", "events", "json", "raw"])(
    "is masked in %s",
    async (format) => {
      const { stdout, stderr } = await run(agent, format);
      expectNoSecret([stdout, stderr]);
      expect(stdout).toContain("[redacted");
      if (format === "text") expect(stdout.split("The value is")).toHaveLength(2);
    },
  );
});

it("an agent that is killed in the middle of a secret leaves no part of it behind, and no line is lost", async () => {
  const half = `The key ${key.slice(0, 30)}`;
  const agent = streamingAgent(half, `process.stdout.write("", () => process.kill(process.pid, "SIGKILL"));`);
  const { home, stdout, stderr } = await run(agent, "full");
  const files = recordedFiles(home);
  expectNoSecret([stdout, stderr, ...files.values()]);
  for (const text of [stdout, ...files.values()]) expect(text).not.toContain(key.slice(13, 22));
  const raw = linesOf(files.get("raw.jsonl") ?? "");
  expect(raw).toHaveLength(3 + Math.ceil(half.length / 3) + 1);
});

it("an agent that is stopped in the middle of a secret leaves no part of it behind", async () => {
  const half = `The value ${secret.slice(0, 18)}`;
  const agent = streamingAgent(half, "setInterval(() => undefined, 1000);");
  const { home, stdout, stderr, exitCode } = await run(agent, "full", ["--idle-timeout", "2"]);
  expect(exitCode).toBe(124);
  const files = recordedFiles(home);
  for (const text of [stdout, stderr, ...files.values()]) expect(text).not.toContain(secret.slice(7, 16));
  expect(linesOf(files.get("raw.jsonl") ?? "")).toHaveLength(3 + Math.ceil(half.length / 3) + 1);
}, 60_000);
