import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAppendFile } from "../../../src/runs/files/append-file.js";
import { writeAtomically, writeInPlace } from "../../../src/runs/files/write-atomically.js";
import { commandPath, harness, homeEnvironment, program } from "../../cli/harness.js";
import { finish, temporaryDirectory } from "../test-agent.js";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A file that must not change, and a link to it. */
function plant(link: string): string {
  const victim = join(temporaryDirectory(), "victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, link);
  return victim;
}

describe("files of ours never go through a link that was there before", () => {
  it("the draft of a sidecar", () => {
    const path = join(temporaryDirectory(), "x.meta.json");
    const victim = plant(`${path}.${process.pid}.tmp`);
    writeAtomically(path, "new");
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(lstatSync(path).isFile()).toBe(true);
  });

  it("the sidecar on a full disk", () => {
    const path = join(temporaryDirectory(), "x.meta.json");
    const victim = plant(path);
    expect(() => writeInPlace(path, "new")).toThrow();
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });

  it("the stream of a recording and its sidecar", async () => {
    const sessionsDirectory = temporaryDirectory();
    const victims = ["planted.ndjson", "planted.meta.json"].map((name) =>
      plant(join(sessionsDirectory, name)),
    );
    const { result } = await finish("talk", { runId: "planted", sessionsDirectory });
    for (const victim of victims) expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(result.recordingProblems).toBeUndefined();
    expect(lstatSync(join(sessionsDirectory, "planted.ndjson")).isFile()).toBe(true);
  });
});

describe("a file that a user names", () => {
  it("may be their own link, a device or a file that is there", () => {
    const directory = temporaryDirectory();
    const link = join(directory, "link");
    const target = plant(link);
    const write = (path: string) => {
      const file = createAppendFile(path);
      file.append(({ text }) => text("x"));
      file.close();
    };
    write(link);
    expect(readFileSync(target, "utf8")).toBe("x");
    write("/dev/null");
    chmodSync(target, 0o644);
    write(target);
    expect(modeOf(target)).toBe(0o644);
    symlinkSync(join(directory, "later"), join(directory, "dangling"));
    write(join(directory, "dangling"));
    expect(modeOf(join(directory, "later"))).toBe(0o600);
  });

  it.runIf(isRoot)("is not a link or a file that another user has put there", () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o1777);
    const link = join(directory, "link");
    const victim = plant(link);
    lchownSync(link, nobody, nobody);
    expect(() => createAppendFile(link)).toThrow(/link that another user made/);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    const file = join(directory, "file");
    writeFileSync(file, "theirs");
    chownSync(file, nobody, nobody);
    expect(() => createAppendFile(file)).toThrow(/another user's file/);
    expect(readFileSync(file, "utf8")).toBe("theirs");
  });
});

describe("under a umask of 000", () => {
  let umask = 0;
  beforeEach(() => {
    umask = process.umask(0);
  });
  afterEach(() => void process.umask(umask));

  it("all that the command writes is its owner's alone", async () => {
    const home = temporaryDirectory();
    chmodSync(home, 0o755);
    const env = { HOME: home, XDG_DATA_HOME: join(home, "d"), XDG_CONFIG_HOME: join(home, "c") };
    const out = join(home, "out.ndjson");
    const copy = join(home, "copy");
    const agent = program('console.log("hello")');
    const { exitCode, stderr } = await harness(
      ["run", "-a", "generic", "--binary", agent, "-p", "x", "-o", out, "--record", copy],
      { env },
    );
    expect(exitCode, stderr).toBe(0);
    const page = join(home, "run.html");
    await harness(["sessions", "export", "last", "-o", page], { env });
    await harness(["config", "init", "--user"], { env });
    const written = readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => join(home, name));
    expect(written.filter((path) => statSync(path).isFile()).length).toBeGreaterThanOrEqual(9);
    for (const path of written) expect(modeOf(path), path).toBe(statSync(path).isFile() ? 0o600 : 0o700);
  }, 60_000);
});

it.runIf(isRoot)(
  "a run is refused before it starts when its output file is another user's link",
  async () => {
    const directory = temporaryDirectory();
    const link = join(directory, "out");
    const victim = plant(link);
    lchownSync(link, nobody, nobody);
    const mark = join(directory, "ran");
    mkdirSync(join(directory, "home"));
    const agent = program(`require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`);
    const { exitCode, stderr } = await harness([
      "run",
      "-a",
      "generic",
      "--binary",
      agent,
      "-p",
      "x",
      "-o",
      link,
      "--no-log",
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("link that another user made");
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(victim, "utf8")).toBe("precious");
  },
  60_000,
);

it("standard output can be named as a file", () => {
  const agent = program('console.log("hello")');
  const args = [
    "run",
    "-a",
    "generic",
    "--binary",
    agent,
    "-p",
    "x",
    "--format",
    "raw",
    "-o",
    "/dev/stdout",
    "--no-log",
  ];
  const env = { ...process.env, ...homeEnvironment() };
  const words = ["-c", '"$@" | cat', "sh", process.execPath, commandPath, ...args];
  // The answer, once as the output and once as the file.
  expect(execFileSync("sh", words, { env, encoding: "utf8" })).toBe("hello\nhello\n");
}, 60_000);
