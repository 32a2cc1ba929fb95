import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { capturesDirectory } from "../../support/captures.js";
import { commandPath, harness, homeEnvironment, jsonLines, temporaryDirectory } from "../harness.js";

const capture = (agent: string, scenario: string) => `${capturesDirectory}${agent}/${scenario}/stdout.jsonl`;
const at = "2026-01-01T00:00:00.000Z";

/** A `raw.jsonl` with the lines of a capture. Unlike native logs, it has times, so that its translation is always the same. */
function writeRaw(path: string, agent: string, scenario: string, times = 1): void {
  const lines = readFileSync(capture(agent, scenario), "utf8").trimEnd().split("\n");
  const records = lines.map((line) => `${JSON.stringify({ timestamp: at, stream: "stdout", line })}\n`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.join("").repeat(times));
}

/** Recordings with sidecars, and raw records of other agents beside them. In the order of their names. */
function makeLogs(): { directory: string; logs: { path: string; runId: string }[] } {
  const directory = temporaryDirectory();
  const logs: { path: string; runId: string }[] = [];
  const add = (name: string, runId: string, agent: string, scenario: string): void => {
    writeRaw(join(directory, name), agent, scenario);
    logs.push({ path: join(directory, name), runId });
  };
  for (const [index, scenario] of ["files", "shell", "text", "thinking"].entries()) {
    const runId = `2026010${index + 1}-000000-aaaaaa`;
    add(`${runId}/raw.jsonl`, runId, "claude", scenario);
    const meta = { runId, agent: "claude", cwd: "/w", prompt: "x", startedAt: at };
    writeFileSync(join(directory, `${runId}.meta.json`), JSON.stringify(meta));
    writeFileSync(join(directory, `${runId}.ndjson`), '{"type":"SessionStart"}\n');
    writeFileSync(join(directory, runId, "events.jsonl"), "not to be read\n");
  }
  add("ci/codex.jsonl", "ci/codex", "codex", "files");
  add("ci/codex.log", "ci/codex.log", "codex", "shell");
  add("ci/goose.ndjson", "ci/goose", "goose", "files");
  writeFileSync(join(directory, ".index"), "hidden");
  return { directory, logs };
}

async function oneByOne(logs: { path: string; runId: string }[], format: string): Promise<string> {
  let text = "";
  for (const { path, runId } of logs) {
    const { stdout } = await harness(["translate", path, "-f", format, "--run-id", runId]);
    text += stdout.toString();
  }
  return text;
}

describe("harness translate DIRECTORY", () => {
  it.each(["ndjson", "full"])("prints what one log after the other would print (%s)", async (format) => {
    const { directory, logs } = makeLogs();
    const expected = await oneByOne(logs, format);
    for (const jobs of ["1", "3"]) {
      const many = await harness(["translate", directory, "-f", format, "--jobs", jobs]);
      expect(many.stderr).toBe("");
      expect(many.exitCode).toBe(0);
      expect(many.stdout.toString()).toBe(expected);
    }
  });

  it("writes a file for each log, named after it, and nothing else", async () => {
    const { directory, logs } = makeLogs();
    const out = join(directory, "out");
    const args = ["translate", directory, "--jobs", "2", "--output", "events=out/", "--output", "md=out/"];
    const refused = await harness(args, { cwd: directory });
    expect(refused.stderr).toContain('there is no output "md"');
    args[args.length - 1] = "markdown=out/";
    // The second time, the directory of the outputs is left alone.
    for (let time = 0; time < 2; time++) {
      const { stdout, stderr, exitCode } = await harness(args, { cwd: directory });
      expect(stdout.toString()).toBe("");
      expect(stderr).toMatch(/^harness: wrote 14 files \([\d.]+ kB\)\n$/);
      expect(exitCode).toBe(0);
    }
    const names = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const expected = logs.flatMap(({ runId }) => [`${runId}.events.jsonl`, `${runId}.md`]);
    expect(names.sort()).toEqual(expected.map((name) => join(out, name)).sort());
    const [first] = logs;
    const alone = await harness(["translate", first?.path ?? "", "-f", "events"]);
    expect(readFileSync(join(out, `${first?.runId}.events.jsonl`), "utf8")).toBe(alone.stdout.toString());
  });

  it("reports logs that cannot be read, and translates all others", async () => {
    const directory = temporaryDirectory();
    const good = ["a.jsonl", "m.jsonl", "z.jsonl"];
    for (const name of good) copyFileSync(capture("codex", "files"), join(directory, name));
    writeFileSync(join(directory, "b-empty.jsonl"), "");
    writeFileSync(
      join(directory, "c-binary.jsonl"),
      Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 37) % 256)),
    );
    writeFileSync(join(directory, "d\n\u001b[31mname.jsonl"), "what is this\n");
    symlinkSync("e-loop.jsonl", join(directory, "e-loop.jsonl"));
    symlinkSync("nowhere", join(directory, "f-dangling.jsonl"));
    symlinkSync(".", join(directory, "g-circle"));
    symlinkSync("a.jsonl", join(directory, "h-linked.jsonl"));
    execFileSync("mkfifo", [join(directory, "i-pipe.jsonl")]);
    writeFileSync(join(directory, "notes.txt"), "not a log");
    for (const jobs of ["1", "2"]) {
      const args = ["translate", directory, "-f", "json", "--jobs", jobs];
      const { stdout, stderr, exitCode } = await harness(args);
      const runs = jsonLines(stdout).map(({ runId }) => runId);
      expect(runs).toEqual(["a", "h-linked", "m", "z"]);
      expect(exitCode).toBe(1);
      const lines = stderr.trimEnd().split("\n");
      const has = (words: string) => expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
      has("left out 1 file (notes.txt)");
      has("did not follow 1 link (g-circle)");
      has("i-pipe.jsonl: it is not a regular file");
      has("b-empty.jsonl is empty");
      has("c-binary.jsonl does not look like the log of an agent");
      has("name.jsonl does not look like the log of an agent");
      has(`cannot read ${join(directory, "e-loop.jsonl")}`);
      has(`cannot read ${join(directory, "f-dangling.jsonl")}`);
      has("5 of 9 logs failed");
      expect(stderr).not.toContain("\u001b");
    }
  });

  it.skipIf(process.getuid?.() === 0)("reports a directory that cannot be read", async () => {
    const { directory } = makeLogs();
    const closed = join(directory, "closed");
    mkdirSync(closed);
    chmodSync(closed, 0);
    const { stderr, exitCode } = await harness(["translate", directory]);
    chmodSync(closed, 0o700);
    expect(stderr).toContain(`cannot read ${closed}: `);
    expect(exitCode).toBe(1);
  });

  it("reads named files whatever they are called, and says which run is which", async () => {
    const directory = temporaryDirectory();
    const names = ["one.txt", "two.out"].map((name) => join(directory, name));
    for (const name of names) copyFileSync(capture("codex", "files"), name);
    const { stdout, exitCode } = await harness([
      "translate",
      ...names,
      join(directory, "gone"),
      "-f",
      "text",
    ]);
    expect(
      stdout
        .toString()
        .split("\n")
        .filter((line) => line.startsWith("==>")),
    ).toEqual(names.map((name) => `==> ${name} <==`));
    expect(exitCode).toBe(1);
  });

  it("refuses a directory without logs, and outputs where the logs are", async () => {
    const directory = temporaryDirectory();
    const none = await harness(["translate", directory]);
    expect(none.stderr).toContain(`there is no log in ${directory}`);
    expect(none.exitCode).toBe(2);
    const same = await harness(["translate", directory, "--output", `ndjson=${directory}/`]);
    expect(same.stderr).toContain("is where the logs are; choose another directory");
  });

  it("keeps the order of thousands of small logs", async () => {
    const directory = temporaryDirectory();
    const line =
      '{"type":"thread.started","thread_id":"T"}\n{"type":"turn.started"}\n{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\n';
    const ids = Array.from({ length: 3000 }, (_, index) => String(index).padStart(4, "0"));
    for (const id of ids) writeFileSync(join(directory, `${id}.jsonl`), line.replace("T", id));
    const { stdout, stderr, exitCode } = await harness(["translate", directory, "-f", "json", "--jobs", "3"]);
    expect(stderr).toBe("");
    expect(jsonLines(stdout).map(({ sessionId }) => sessionId)).toEqual(ids);
    expect(exitCode).toBe(0);
  });

  it("holds a part of what is printed in memory, if a huge log comes before others and its reader is slow", async () => {
    const directory = temporaryDirectory();
    writeRaw(join(directory, "0/raw.jsonl"), "claude", "files", 3000);
    const long = { type: "item.completed", item: { type: "agent_message", text: "x".repeat(2_000_000) } };
    const others = 12;
    for (let index = 1; index <= others; index++)
      writeFileSync(join(directory, `${index}.jsonl`), `${JSON.stringify(long)}\n`.repeat(20));
    const measure = join(directory, "measure.cjs");
    const report = "process.stderr.write(String(Math.round(process.resourceUsage().maxRSS / 1024)))";
    writeFileSync(measure, `process.on("exit", () => ${report});`);
    const args = ["translate", directory, "-f", "raw", "--jobs", "2"];
    const child = spawn(process.execPath, ["--require", measure, commandPath, ...args], {
      env: { ...process.env, ...homeEnvironment() },
    });
    let stderr = "";
    let size = 0;
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    for await (const chunk of child.stdout) {
      size += chunk.length;
      await new Promise(setImmediate);
    }
    expect(size).toBeGreaterThan(others * 40_000_000);
    expect(Number(/\d+$/.exec(stderr)?.[0])).toBeLessThan(450);
  });

  it.each(["1", "2"])("ends when its reader goes away (--jobs %s)", async (jobs) => {
    const directory = temporaryDirectory();
    for (let index = 0; index < 6; index++)
      writeRaw(join(directory, `${index}/raw.jsonl`), "claude", "files", 200);
    const command = `"${process.execPath}" "${commandPath}" translate "${directory}" --jobs ${jobs} | head -1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn("bash", ["-c", command], { env: { ...process.env, ...homeEnvironment() } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    await once(child, "close");
    expect(stdout).toMatch(/^\{"type":"SessionStart".*\}\n0\n$/);
    expect(stderr).toBe("");
  });

  it.each(["1", "2"])("ends with a signal, and leaves no half of a file (--jobs %s)", async (jobs) => {
    const directory = temporaryDirectory();
    for (let index = 0; index < 40; index++)
      writeRaw(join(directory, `logs/${index}/raw.jsonl`), "claude", "files", 100);
    const out = join(directory, "out");
    const args = [
      "translate",
      join(directory, "logs"),
      "--jobs",
      jobs,
      "--output",
      `full=${out}/`,
      "-f",
      "raw",
    ];
    const child = spawn(process.execPath, [commandPath, ...args], {
      env: { ...process.env, ...homeEnvironment() },
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    // Standard output is not read any further: the command waits for its reader when the signal arrives.
    await once(child.stdout, "readable");
    child.kill("SIGINT");
    const [exitCode] = await once(child, "exit");
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/stopped after \d+ of 40 logs/);
    expect(readdirSync(out).filter((name) => !name.endsWith(".full.jsonl"))).toEqual([]);
  });
});

describe("an agent of the user's own, in workers", () => {
  const module = (before: string, atRecord: string) => `
    import { isMainThread } from "node:worker_threads";
    import { defineAgent } from "harness-stream";
    ${before}
    export default defineAgent({
      id: "mine",
      launch: () => ({ args: [] }),
      createMapping: () => ({
        record(record, out) {
          ${atRecord}
          out.emit({ type: "agent", message: \`\${record.say} \${isMainThread ? "here" : "in a worker"}\` });
        },
      }),
    });`;

  async function translateWith(before: string, atRecord: string) {
    const project = temporaryDirectory();
    writeFileSync(join(project, "harness.toml"), '[agents.mine]\nmodule = "./mine.mjs"\n');
    writeFileSync(join(project, "mine.mjs"), module(before, atRecord));
    mkdirSync(join(project, "logs"));
    for (const word of ["a", "b", "c", "d"])
      writeFileSync(join(project, "logs", `${word}.jsonl`), `{"say":"${word}"}\n`);
    const args = ["translate", "logs", "--agent", "mine", "--trust", "-f", "events", "--jobs", "2"];
    const { stdout, stderr, exitCode } = await harness(args, {
      cwd: project,
      env: { NODE_OPTIONS: "--max-old-space-size=150" },
    });
    return {
      messages: jsonLines(stdout).flatMap(({ type, message }) => (type === "agent" ? [message] : [])),
      stderr,
      exitCode,
    };
  }

  it("is loaded in each of them", async () => {
    const { messages, stderr, exitCode } = await translateWith("", "");
    expect(stderr).toBe("");
    expect(messages).toEqual(["a", "b", "c", "d"].map((word) => `${word} in a worker`));
    expect(exitCode).toBe(0);
  });

  it("is used in the main thread if it cannot be loaded in a worker", async () => {
    const { messages, stderr } = await translateWith('if (!isMainThread) throw new Error("not here");', "");
    expect(stderr).toBe("");
    expect(messages).toEqual(["a", "b", "c", "d"].map((word) => `${word} here`));
  });

  it.each([
    ["ends its thread", "process.exit(1);", "the thread that worked on it has ended"],
    ["takes all memory", "const all = []; for (;;) all.push(new Array(1e6).fill({}));", "out of memory"],
  ])("fails one log if it %s, and not the others", async (_what, bad, words) => {
    const { messages, stderr, exitCode } = await translateWith("", `if (record.say === "b") { ${bad} }`);
    expect(messages).toEqual(["a", "c", "d"].map((word) => `${word} in a worker`));
    expect(stderr).toContain("b.jsonl: ");
    expect(stderr).toContain(words);
    expect(stderr).toContain("1 of 4 logs failed");
    expect(exitCode).toBe(1);
  });
});
