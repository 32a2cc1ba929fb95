import { linkSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputTargets } from "../../src/cli/running/output-targets.js";
import { capturesDirectory } from "../support/captures.js";
import { harness, programThatReplays, temporaryDirectory } from "./harness.js";

describe("the outputs of a run", () => {
  const targets = (...output: string[]) => outputTargets({ output }, "ndjson");

  it.each([
    [[], "ndjson", []],
    [["text"], "text", []],
    [["json=-"], "json", []],
    [["json=run.json"], "ndjson", [{ name: "json", file: "run.json" }]],
    [["out/RUN.HTML"], "ndjson", [{ name: "html", file: "out/RUN.HTML" }]],
    [["run.atif.json"], "ndjson", [{ name: "atif", file: "run.atif.json" }]],
    [["full=a=b.jsonl", "text"], "text", [{ name: "full", file: "a=b.jsonl" }]],
    [
      ["a.md", "markdown=b.txt"],
      "ndjson",
      [
        { name: "markdown", file: "a.md" },
        { name: "markdown", file: "b.txt" },
      ],
    ],
  ])("%j: standard output gets %s", (output, format, files) => {
    expect(targets(...output)).toEqual({ format, files });
  });

  it.each([
    [["text", "json"], "standard output takes one output, not 2 (text, json)"],
    [["text", "json=-"], "give the others a file, as in --output json=FILE"],
    [["a.html", "html=./a.html"], "two outputs cannot be written to the same file ./a.html"],
    [["jsn=a"], 'there is no output "jsn"'],
    [["htm"], "Did you mean html?"],
    [["out/.json"], 'there is no output "out/.json"'],
    [["json="], "--output json= names no file; write json=FILE, or json alone"],
  ])("%j is refused", (output, message) => {
    expect(() => targets(...output)).toThrow(message);
  });

  it("knows a file by all its names", () => {
    const place = temporaryDirectory();
    const named = (...names: string[]) => targets(...names.map((name) => `json=${join(place, name)}`));
    symlinkSync("new.json", join(place, "link.json"));
    symlinkSync(".", join(place, "here"));
    symlinkSync("loop", join(place, "loop"));
    expect(() => named("new.json", "link.json")).toThrow("the same file");
    expect(() => named("new.json", "here/new.json")).toThrow("the same file");
    writeFileSync(join(place, "old.json"), "");
    linkSync(join(place, "old.json"), join(place, "other.json"));
    expect(() => named("old.json", "other.json")).toThrow("the same file");
    expect(named("old.json", "link.json", "loop").files).toHaveLength(3);
  });

  it("refuses the file of --output-file, a second one for standard output, and any beside --quiet", () => {
    const given = { output: ["a.html"], outputFile: "x/../a.html" };
    expect(() => outputTargets(given, "text")).toThrow("the same file");
    expect(() => outputTargets({ output: ["text"], format: "json" }, "text")).toThrow("not 2 (json, text)");
    expect(() => outputTargets({ output: ["text"], quiet: true }, "text")).toThrow(
      "--quiet prints the answer",
    );
  });
});

describe("harness run with several outputs", () => {
  const binary = programThatReplays("claude", "files");

  it("writes each as it would be printed alone, whatever becomes of the others", async () => {
    const cwd = temporaryDirectory();
    const args = ["run", "do it", "-a", "claude", "--binary", binary, "--output", "text"];
    const files = [
      "--output",
      "run.json",
      "--output",
      "full=all.jsonl",
      "--output",
      "run.html",
      "-o",
      "copy.txt",
    ];
    const broken = ["--output", "raw=/dev/full"];
    const { stdout, stderr, exitCode } = await harness([...args, ...files, ...broken], { cwd });
    const read = (name: string) => readFileSync(join(cwd, name), "utf8");
    expect(stdout.toString()).toContain("✓ Completed");
    expect(read("copy.txt")).toBe(stdout.toString());
    expect(JSON.parse(read("run.json"))).toMatchObject({ agent: "claude", outcome: { isSuccess: true } });
    const events = read("all.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(events.at(0)).toBe("started");
    expect(events.at(-1)).toBe("exited");
    expect(read("run.html")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n?$/i);
    expect(stderr).toContain("/dev/full cannot be written");
    // The run succeeded, but not everything that was asked for is there.
    expect(exitCode).toBe(74);
  });

  it("prints only the answer beside files", async () => {
    const cwd = temporaryDirectory();
    const args = ["run", "do it", "-a", "claude", "--binary", binary, "--quiet", "--output", "run.md"];
    const { stdout, exitCode } = await harness(args, { cwd });
    expect(exitCode).toBe(0);
    expect(stdout.toString().trim().split("\n")).not.toContain("✓ Completed");
    expect(readFileSync(join(cwd, "run.md"), "utf8")).toMatch(/^# /);
  });
});

describe("a recording or a log with several outputs", () => {
  const log = `${capturesDirectory}claude/subagent/stdout.jsonl`;
  const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");

  it("is translated once for all of them", async () => {
    const cwd = temporaryDirectory();
    const outputs = ["--output", "text", "--output", "raw=lines.jsonl", "--output", "run.atif.json"];
    const { stdout, stderr, exitCode } = await harness(["translate", log, ...outputs], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toContain("✓ Completed");
    expect(stderr).toMatch(/^harness: wrote lines.jsonl \(.*\)\nharness: wrote run.atif.json \(.*\)\n$/);
    expect(read(cwd, "lines.jsonl")).toBe(readFileSync(log, "utf8"));
    expect(JSON.parse(read(cwd, "run.atif.json"))).toMatchObject({ schema_version: "ATIF-v1.7" });
    const explained = await harness(["translate", log, "--explain", "--output", "full=-"], { cwd });
    expect(explained.stderr).toContain("--explain prints what became of each line and nothing else");
  });

  it("writes over no file if the input is not known, and says if one cannot be written", async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, "run.html"), "old");
    const stdin = Buffer.from("neither one nor the other\n");
    const unknown = await harness(["translate", "--output", "run.html"], { cwd, stdin });
    expect(unknown.exitCode).toBe(2);
    expect(read(cwd, "run.html")).toBe("old");
    const broken = await harness(["translate", log, "--output", "json=/dev/full"], { cwd });
    expect(broken.exitCode).toBe(74);
    expect(broken.stdout.toString()).toContain('"type":"Result"');
  });

  it("is exported and replayed in the same way, and the same", async () => {
    const cwd = temporaryDirectory();
    const env = { XDG_DATA_HOME: join(cwd, "data") };
    await harness(["sessions", "import", log, "--prompt", "Fix it"], { cwd, env });
    const several = ["--output", "a.md", "--output", "a.atif.json", "--output", "json=a.txt"];
    const exported = await harness(["sessions", "export", "last", ...several], { cwd, env });
    expect(exported.exitCode).toBe(0);
    // Files are all that was asked for.
    expect(exported.stdout.toString()).toBe("");
    const alone = await harness(["sessions", "export", "last", "-o", "b.md"], { cwd, env });
    expect(alone.stderr).toMatch(/^harness: wrote b.md/);
    expect(read(cwd, "a.md")).toBe(read(cwd, "b.md"));
    const both = ["-f", "events", "-o", "c.jsonl", "--output", "c.atif.json"];
    await harness(["sessions", "export", "last", ...both], { cwd, env });
    expect(read(cwd, "c.jsonl")).toContain('"type":"agent"');
    const files = ["--output", "text", "--output", "d.atif.json", "--speed", "max"];
    const replayed = await harness(["sessions", "replay", "last", ...files], { cwd, env });
    expect(replayed.stdout.toString()).toContain("✓ Completed");
    expect(read(cwd, "d.atif.json")).toBe(read(cwd, "a.atif.json"));
    expect(read(cwd, "c.atif.json")).toBe(read(cwd, "a.atif.json"));
    const { steps } = JSON.parse(read(cwd, "a.atif.json"));
    expect(steps[0]).toMatchObject({ source: "user", message: "Fix it" });
  });
});

describe("harness run --resume", () => {
  const binary = programThatReplays("claude", "files");

  it("continues in the directory of the recording, and says so", async () => {
    const home = temporaryDirectory();
    const there = realpathSync(temporaryDirectory());
    const env = { XDG_DATA_HOME: home };
    const args = ["-a", "claude", "--binary", binary, "-f", "json"];
    await harness(["run", "begin", ...args], { cwd: there, env });
    const here = temporaryDirectory();
    const resume = ["run", "go on", ...args, "--resume", "last", "--dry-run"];
    const { stdout, stderr } = await harness(resume, { cwd: here, env });
    expect(JSON.parse(stdout.toString()).cwd).toBe(there);
    expect(stderr).toBe(`harness: continues in ${there}, where the session was recorded\n`);
    const chosen = await harness([...resume, "--cwd", here], { cwd: there, env });
    expect([JSON.parse(chosen.stdout.toString()).cwd, chosen.stderr]).toEqual([here, ""]);
    rmSync(there, { recursive: true });
    const gone = await harness(resume, { cwd: here, env });
    expect(gone.stderr).toContain(`was made in ${there}, which is gone; choose another directory with --cwd`);
    expect(gone.exitCode).toBe(2);
  });
});
