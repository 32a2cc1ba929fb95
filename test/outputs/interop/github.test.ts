import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import type { RunCheck } from "../../../src/events/run-check.js";
import type { OutputOptions } from "../../../src/outputs/contract.js";
import { toCheckLine } from "../../../src/outputs/github/commands.js";
import { createJobLog } from "../../../src/outputs/github/job-log.js";
import { toJobSummary } from "../../../src/outputs/github/job-summary.js";
import { githubOutput } from "../../../src/outputs/github/output.js";
import { stepOutputNames, toOutputFile, toStepOutputs } from "../../../src/outputs/github/step-outputs.js";
import { openTextRows } from "../../../src/outputs/text-rows.js";
import { createSummary } from "../../../src/story/create-summary.js";
import { commandIn, linesOfStep, type ObeyedCommand, readOutputFile } from "../../support/github-runner.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, exitedWithOne, type Given, started, succeeded } from "../support.js";
import { cutInHalf, everyRun, type RealRun } from "./every-run.js";

const failedCheck: RunCheck = {
  command: "npm test",
  isSuccess: false,
  exitCode: 1,
  durationMs: 2100,
  tail: "FAIL\n ./src/a.ts:3:7 expected 1\n    at /repo/src/b.ts(12,1)\nsrc/other.ts:1 not of this run",
};

const changed: Given = {
  type: "changes",
  root: "/repo",
  files: ["src/a.ts", "src/b.ts"].map((path) => ({ path, kind: "modified", insertions: 1, deletions: 0 })),
  insertions: 2,
  deletions: 0,
};

async function logOf(lines: readonly (readonly HarnessEvent[])[], options: OutputOptions = {}) {
  const output = await githubOutput.open(options);
  const pieces = [...output.push(lines.map((events) => ({ events: [...events] }))), ...output.end()];
  return linesOfStep(pieces.join(""));
}

function commandsIn(lines: readonly string[]): ObeyedCommand[] {
  return lines.flatMap((line) => commandIn(line) ?? []);
}

/** What is wrong with the log of a run, for the runner and for its readers. */
function problemsOf(lines: readonly string[]): string[] {
  const problems: string[] = [];
  const counts = new Map<string, number>();
  let isOpen = false;
  for (const line of lines) {
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(line)) problems.push(`control character: ${line}`);
    const command = commandIn(line);
    if (command === undefined) continue;
    const { name, data } = command;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!["group", "endgroup", "error", "warning"].includes(name)) problems.push(`obeyed: ${line}`);
    if (name === "group" && isOpen) problems.push(`nested: ${line}`);
    if (name === "endgroup" && !isOpen) problems.push("closed twice");
    if (name === "group") isOpen = true;
    if (name === "endgroup") isOpen = false;
    // The web page obeys the lines of a message as well.
    if (data.split("\n").some((inside) => commandIn(inside))) problems.push(`inside: ${line}`);
  }
  if (isOpen) problems.push("a group is left open");
  for (const name of ["error", "warning"])
    if ((counts.get(name) ?? 0) > 10) problems.push(`too many: ${name}`);
  return problems;
}

describe("the log of a job", () => {
  it("is right for every run of a real agent, whole and cut in half", async () => {
    const problems: string[] = [];
    let count = 0;
    for (const whole of everyRun())
      for (const run of [whole, cutInHalf(whole)]) {
        count += 1;
        problems.push(...(await problemsOfRun(run)).map((problem) => `${run.name}: ${problem}`));
      }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(2000);
  }, 120_000);

  async function problemsOfRun({ agent, steps, events }: RealRun): Promise<string[]> {
    const options = { agentName: agent.name, prompt: "Fix it" };
    const rows = await openTextRows(options);
    const log = createJobLog(rows, options);
    const pieces = [...log.push(steps), ...log.end()];
    const lines = linesOfStep(pieces.join(""));
    const problems = problemsOf(lines);
    const result = events.find((event) => event.type === "result");
    const hasEnd = events.some((event) => event.type === "exited");
    const errors = commandsIn(lines).filter(({ name }) => name === "error").length;
    if (hasEnd && errors !== (result?.isSuccess ? 0 : 1)) problems.push(`${errors} errors`);
    const isMissing = lines.some((line) => line.includes("the end of the run is missing"));
    if (isMissing === hasEnd && events.length > 0) problems.push("the end");
    const summary = createSummary();
    for (const event of events) summary.add(event);
    const facts = { summary: summary.read(), agentName: agent.name, prompt: "Fix it", exitCode: 0 };
    const outputs = toStepOutputs(facts);
    if (JSON.stringify(readOutputFile(toOutputFile(outputs))) !== JSON.stringify(outputs))
      problems.push("the outputs cannot be read back");
    const text = toJobSummary(facts, 5000);
    if (text !== undefined && Buffer.byteLength(text) > 5000) problems.push("the summary is too long");
    return problems;
  }

  it("has nothing that the runner obeys but what harness means, whatever the events are", async () => {
    const lines = fc.array(fc.array(arbitraryOf(HarnessEvent), { maxLength: 6 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, async (events) => {
        const before = JSON.stringify(events);
        expect(problemsOf(await logOf(events, { prompt: "x" }))).toEqual([]);
        expect(JSON.stringify(events)).toBe(before);
      }),
      { numRuns: 40 },
    );
  });
});

/** Texts made of what a command is made of. */
const words = [
  "::set-output name=x::y",
  "::add-mask::y",
  "::stop-commands::t",
  "::error file=a::y",
  "##[add-mask]y",
  "##[group]y",
  "::",
  ":",
  "##[",
  "]",
  "set-output name=x",
  "error",
  "add-mask",
  "group",
  "stop-commands",
  "endgroup",
  "token",
  "%0A",
  "%25",
  " ",
  "\t",
  "\n",
  "\r",
  "\u001b[31m",
  "\u001b]8;;",
  "\u0007",
  "\u0085",
  "\u00a0",
  "\u00ad",
  "\u200b",
  "\u2028",
  "\ufeff",
  "\u3000",
  "é",
];
const hostile = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((parts) => parts.join(""));

describe("text that looks like a command of the workflow", () => {
  it("is only text, wherever the agent says it", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (text, output) => {
        const lines = await logOf(
          [
            eventsOf(started),
            eventsOf({ type: "agent", message: text }),
            eventsOf({ type: "tool_start", callId: "c", name: "Bash", input: { command: text } }),
            eventsOf(
              { type: "tool_end", callId: "c", name: text, isSuccess: true, output },
              { type: "command", callId: "c", command: text, isSuccess: true },
            ),
            eventsOf({ type: "write", path: text, isSuccess: true }),
            eventsOf(succeeded, completed),
          ],
          { prompt: text, agentName: text },
        );
        expect(problemsOf(lines)).toEqual([]);
        const names = new Set(commandsIn(lines).map(({ name }) => name));
        expect([...names].filter((name) => name !== "group" && name !== "endgroup")).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("is only text in an annotation, too", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (message) => {
        const failure = { kind: "auth", message, hint: message } as const;
        const lines = await logOf([
          eventsOf(started, { type: "warning", message }),
          eventsOf({ type: "result", isSuccess: false, failure }, exitedWithOne),
        ]);
        expect(problemsOf(lines)).toEqual([]);
        expect(commandsIn(lines).map(({ name }) => name)).toEqual(["error", "warning"]);
      }),
      { numRuns: 50 },
    );
  });

  it("is only text in a check, apart from its own annotations", () => {
    fc.assert(
      fc.property(hostile, (line) => {
        const names = linesOfStep(toCheckLine(line)).flatMap((shown) => commandIn(shown)?.name ?? []);
        expect(names.filter((name) => name !== "error")).toEqual([]);
      }),
    );
    expect(toCheckLine("::error file=a.ts,line=3::bad")).toBe("::error file=a.ts,line=3::bad");
    expect(toCheckLine("::set-env name=PATH::x")).toBe("\\::set-env name=PATH::x");
    expect(toCheckLine("::error::a\r::set-env name=PATH::x")).toBe("::error::a\n\\::set-env name=PATH::x");
  });

  it("would be obeyed as it is: the port of the runner notices it", () => {
    expect(commandIn("\t::set-output name=x::y%0Az")).toEqual({
      name: "set-output",
      properties: { name: "x" },
      data: "y\nz",
    });
    expect(commandIn("text ##[add-mask]secret")?.name).toBe("add-mask");
    expect(commandIn("text ::error::x")).toBeUndefined();
    expect(commandIn("::nobody::x")).toBeUndefined();
  });
});

describe("what a reader of the log sees", () => {
  const run = [
    eventsOf(started),
    eventsOf({ type: "agent", message: "I run the tests." }),
    eventsOf({ type: "tool_start", callId: "c", name: "Bash", input: { command: "npm test" } }),
    eventsOf(
      {
        type: "tool_end",
        callId: "c",
        name: "Bash",
        isSuccess: true,
        output: "one\n\u001b[32mtwo\u001b[0m\n",
      },
      { type: "command", callId: "c", command: "npm test", exitCode: 0, isSuccess: true },
    ),
    eventsOf(changed),
    eventsOf({ type: "warning", message: "slow" }, { type: "warning", message: "slow" }),
    eventsOf(succeeded, completed),
  ];

  it("is the rows of text, what commands printed in folds, and annotations at the end", async () => {
    const lines = await logOf(run, {
      agentName: "Claude Code",
      prompt: "Fix the test",
      secrets: ["100%:a,b"],
      check: () => failedCheck,
    });
    expect(lines[0]).toBe("::add-mask::100%25:a,b");
    expect(commandIn(lines[0] ?? "")?.data).toBe("100%:a,b");
    expect(lines.filter((line) => line.includes("100%"))).toHaveLength(1);
    expect(lines.slice(1, 3)).toEqual(["Prompt: Fix the test", "Claude Code · /repo"]);
    const group = lines.indexOf("::group::Output of npm test");
    expect(lines.slice(group - 1, group + 4)).toEqual([
      expect.stringContaining("✓ Ran npm test"),
      "::group::Output of npm test",
      "  │ one",
      "  │ two",
      "::endgroup::",
    ]);
    expect(lines).toContain("✗ Check failed with exit code 1 after 2.1 s");
    const annotations = commandsIn(lines).filter(({ name }) => name === "error" || name === "warning");
    const title = "Check failed: npm test";
    expect(annotations.map(({ properties }) => properties)).toEqual([
      { title },
      { file: "src/a.ts", line: "3", title },
      { file: "src/b.ts", line: "12", title },
      { title: "Claude Code" },
    ]);
    expect(annotations[0]?.data).toContain("FAIL\n ./src/a.ts:3:7 expected 1");
  });

  it("has the failure of a run with its hint, and only ten warnings", async () => {
    const failure = { kind: "auth", message: "401 Unauthorized", hint: "Set ANTHROPIC_API_KEY" } as const;
    const warnings = Array.from({ length: 30 }, (_, at): Given => ({ type: "warning", message: `w${at}` }));
    const lines = await logOf(
      [
        eventsOf(started, ...warnings),
        eventsOf({ type: "result", isSuccess: false, failure }, exitedWithOne),
      ],
      { agentName: "Claude Code" },
    );
    const [error, ...rest] = commandsIn(lines);
    expect(error).toEqual({
      name: "error",
      properties: { title: "Claude Code: Failed: no key, a wrong key, not signed in, or not allowed" },
      data: "401 Unauthorized\nNext step: Set ANTHROPIC_API_KEY",
    });
    expect(rest).toHaveLength(10);
    expect(rest.at(-1)?.data).toBe("21 more warnings: the log has them.");
  });

  it("looks for places in a check whose output is one word of any length", async () => {
    const check = { ...failedCheck, tail: `${"a".repeat(1_000_000)}.b:` };
    const commands = commandsIn(
      await logOf([eventsOf(started, changed, exitedWithOne)], { check: () => check }),
    );
    expect(commands.map(({ name, properties }) => [name, properties["file"]])).toContainEqual([
      "error",
      undefined,
    ]);
    expect(commands.flatMap(({ properties }) => properties["file"] ?? [])).toEqual([]);
  });

  it("has nothing of a run without events", async () => {
    expect(await logOf([])).toEqual([]);
  });
});

describe("the files of the runner", () => {
  it("give every output back as it was, whatever is in it", () => {
    const text = fc.oneof(
      hostile,
      fc.string(),
      fc.constant("x\nend_of_output\nsuccess=true\nend_of_output_"),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 11, maxLength: 11 }), (values) => {
        const outputs = Object.fromEntries(stepOutputNames.map((name, at) => [name, values[at] ?? ""]));
        const file = toOutputFile(outputs as Parameters<typeof toOutputFile>[0]);
        const whole = Object.entries(outputs).map(([name, value]) => [name, value.replace(/\r+$/, "")]);
        expect(readOutputFile(file)).toEqual(Object.fromEntries(whole));
      }),
    );
  });

  it("have a summary that says what was asked, how it ended, and fits", () => {
    const summary = createSummary();
    const message = `boom </details> ![x](http://evil.example/?q) ${"y".repeat(3000)}`;
    const events = eventsOf(
      started,
      { type: "agent", message: "<img src=x>" },
      changed,
      {
        type: "result",
        isSuccess: false,
        failure: { kind: "network", message, hint: "Try again" },
      },
      exitedWithOne,
    );
    for (const event of events) summary.add(event);
    const facts = {
      summary: summary.read(),
      agentName: "Codex",
      prompt: "Fix *this*\nand that",
      exitCode: 1,
      check: failedCheck,
      patch: `+${"ü".repeat(600_000)}`,
    };
    const text = toJobSummary(facts) ?? "";
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(100_000);
    expect(text).toContain("## ✗ Fix \\*this\\* and that\n");
    expect(text).toContain("**Failed: the connection was refused or cut");
    expect(text).toContain("Next step: Try again");
    expect(text).toContain("✗ `npm test` · Check failed with exit code 1 after 2.1 s");
    expect(text).toContain("> &lt;img src=x>");
    expect(text).not.toContain("boom </details>");
    const short = toJobSummary(facts, 4000) ?? "";
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(4000);
    expect(short).toContain("Long texts are cut here");
    expect(toJobSummary(facts, 100)).toBeUndefined();
  });
});
