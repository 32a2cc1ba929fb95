import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { complain } from "../../src/cli/complain.js";
import { quote } from "../../src/cli/quote.js";
import { toTable } from "../../src/cli/table.js";
import { createExplanation } from "../../src/cli/translate/explain.js";
import { paint } from "../../src/outputs/text/paint.js";
import { spellSafely, toNdjson } from "../../src/text/to-json.js";
import { hostile, unsafe } from "../outputs/text/hostile.js";
import { harness, program, temporaryDirectory } from "./harness.js";

/** Something of each kind, without what cannot be an argument or stand in TOML. */
const nasty = [
  "\u001b[31mred\u001b[2J",
  "\u001b]52;c;cm0gLXJm\u0007",
  "\u001b]0;title\u001b\\",
  "\u009b31m\u0085\u007f\b\r",
  "\u202egpj\u202c\u2066x\u2069\u200e\u200f\u061c",
  "a\u200bb\u200dc\u2060\ufeff",
  "\u3164\u115f\u1160\u2800\u034f\uffa0",
  "\u{e0041}\u{e0042}",
  "😀\ufe01\ufe02\u{e0101}",
  "\u2028\u2029",
].join("");

/** In JSON only these are written as they are: the rest of what is unsafe cannot be seen, but does nothing. */
const unsafeInJson = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const inToml = JSON.stringify(nasty).replace(
  /[\u007f-\u009f]/g,
  (c) => `\\u00${c.charCodeAt(0).toString(16)}`,
);

describe("what is said to people", () => {
  it("is safe whatever it holds", () => {
    const said: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    try {
      fc.assert(
        fc.property(hostile, hostile, (a, b) => {
          complain(`cannot read ${a}: ${b}`);
          const table = toTable(["KEY", "VALUE"], [[a, b]]);
          expect(table).not.toMatch(unsafe);
          expect(table.split("\n")).toHaveLength(3);
          expect(quote(a)).not.toMatch(unsafe);
          expect(paint([{ text: a, style: "bold" }], false)).not.toMatch(unsafe);
        }),
        { numRuns: 500 },
      );
    } finally {
      write.mockRestore();
    }
    for (const text of said) {
      expect(text).not.toMatch(unsafe);
      // No line can pass for a sentence of its own.
      expect(
        text
          .trimEnd()
          .split("\n")
          .slice(1)
          .every((line) => line.startsWith("  ")),
      ).toBe(true);
    }
  });

  it("explains lines as one row each", () => {
    const explanation = createExplanation();
    fc.assert(
      fc.property(hostile, (line) => {
        const record = { timestamp: "2026-01-01T00:00:00.000Z", stream: "stdout" as const, line };
        const text = explanation.push([{ record, events: [] }]).join("");
        expect(text).not.toMatch(unsafe);
        expect(text.split("\n")).toHaveLength(3);
      }),
    );
  });

  it("has words of a shell that mean what they say", () => {
    expect(quote("it's\n\u001b[31m\u202e")).toBe("$'it\\'s\\n\\x1b[31m\\xe2\\x80\\xae'");
  });
});

describe("JSON", () => {
  it("is the same value, spelled so that a terminal does nothing with it", () => {
    const items = fc.array(fc.dictionary(fc.string({ unit: "binary" }), hostile), { maxLength: 3 });
    fc.assert(
      fc.property(items, (all) => {
        const text = toNdjson(all);
        expect(text).not.toMatch(unsafeInJson);
        const plain = all.map((item) => JSON.stringify(item));
        expect(
          text
            .split("\n")
            .slice(0, -1)
            .map((line) => JSON.stringify(JSON.parse(line))),
        ).toEqual(plain);
      }),
    );
    expect(spellSafely('"\u009b\u007f\u202e\u2028é"')).toBe('"\\u009b\\u007f\\u202e\\u2028é"');
  });
});

describe("every command, with text from outside that would do something", () => {
  let server: Server;
  let url = "";
  let project = "";
  let recorded = "";
  const env = {
    HARNESS_TRUST: "1",
    XDG_DATA_HOME: temporaryDirectory(),
    XDG_CACHE_HOME: temporaryDirectory(),
  };

  beforeAll(async () => {
    server = createServer((_request, response) => response.end(`[${inToml}]\nx = 1\n`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    // Control characters in the id of a model are refused.
    const unseen = JSON.stringify("red\u202egpj\u202c\u2066x\u2069\u200e\u3164\u2800\u034f\u{e0041}");
    project = join(temporaryDirectory(), "p\u001b[31m\u202e\u009b\u3164");
    mkdirSync(project);
    writeFileSync(
      join(project, "harness.toml"),
      [
        `default_model = ${unseen}`,
        `models_url = "${url}"`,
        "[agents.claude]",
        `binary = ${inToml}`,
        `extra_args = [${inToml}]`,
        `env = { ${inToml} = "x" }`,
        "[agents.own]",
        'translator = "claude"',
        `[models.${inToml}]`,
        `description = ${inToml}`,
        `claude = ${unseen}`,
      ].join("\n"),
    );
    const agent = program(
      `process.stdout.write(${JSON.stringify(nasty)} + "\\n"); process.stderr.write(${JSON.stringify(nasty)} + "\\n"); process.exitCode = 3;`,
    );
    await harness(["run", "-a", "generic", "--binary", agent, "-p", nasty, "--format", "text"], {
      env,
      cwd: temporaryDirectory(),
    });
    const sessions = join(env.XDG_DATA_HOME, "harness", "sessions");
    const [sidecar = ""] = readdirSync(sessions).filter((name) => name.endsWith(".meta.json"));
    const { exitCode, stdout } = await harness(["config", "show"], { env, cwd: project });
    expect([exitCode, `${stdout}`.match(/red/g)?.length]).toEqual([0, expect.any(Number)]);
    recorded = sidecar.replace(".meta.json", "");
    const meta = JSON.parse(readFileSync(join(sessions, sidecar), "utf8"));
    for (const id of ["same1", "same2"]) {
      const changed = {
        ...meta,
        runId: id,
        agent: nasty,
        agentVersion: nasty,
        model: nasty,
        cwd: `/${nasty}`,
        sessionId: nasty,
        problem: nasty,
        permissions: nasty,
        startedAt: "2026-01-01T00:00:00.000Z",
      };
      writeFileSync(join(sessions, `${id}.meta.json`), JSON.stringify(changed));
    }
  }, 60_000);
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const named = (word: string): string => (word === "THE RUN" ? recorded : word);

  const forPeople: readonly (readonly string[])[] = [
    ["config", "show"],
    ["config", "path"],
    ["config", "init"],
    ["check", "claude"],
    ["check", nasty],
    ["list"],
    ["run", "-a", "claude", "-p", nasty, "--dry-run"],
    ["run", "-a", nasty, "-p", "x"],
    ["run", "-a", "claude", "-p", "x", "--format", nasty],
    ["run", "-a", "claude", "-p", "x", `--${nasty}`],
    ["run", "-a", "claude", "-p", "x", nasty],
    ["run", "-a", "claude", "-p", "x", "--cwd", `/${nasty}`, "--format", "text"],
    ["run", "-a", "claude", "--prompt-file", nasty],
    ["run", "-a", "claude", "-p", "x", "--output-file", `/${nasty}/x`],
    ["run", "-a", "claude", "-p", "x", "--model", nasty, "--format", "text"],
    ["run", "-a", "claude", "-p", "x", "--extra-args", `'${nasty}`],
    [nasty],
    ["help", nasty],
    ["models", "list"],
    ["models", "list", "--agent", "claude"],
    ["models", "resolve", nasty, "--agent", "claude"],
    ["models", "resolve", nasty, "--agent", "codex"],
    ["models", "update"],
    ["models", "path"],
    ["sessions", "list"],
    ["sessions", "show", "THE RUN"],
    ["sessions", "show", "same1"],
    ["sessions", "show", "same"],
    ["sessions", "show", nasty],
    ["sessions", "rm", nasty],
    ["sessions", "prune", "--older-than", "0s", "--dry-run"],
    ["sessions", "replay", "same1"],
    ["sessions", "export", "same1"],
    ["sessions", "export", "THE RUN", "-o", `${nasty}/x.md`],
    ["sessions", "export", "THE RUN", "-o", `x.${nasty}`],
    ["translate", nasty, "-a", "claude"],
    ["demo", "--agent", nasty],
    ["completion", "bash"],
    ["view", "--directory", nasty],
    ["view", "--host", nasty],
  ];
  it.each(forPeople.map((args) => [args]))(
    "%j",
    async (args) => {
      const { stdout, stderr } = await harness(args.map(named), { env, cwd: project });
      expect(`${stdout}${stderr}`).not.toMatch(unsafe);
      expect(`${stdout}${stderr}`).not.toBe("");
    },
    60_000,
  );

  it.each([
    [["sessions", "replay", "THE RUN", "--format", "text", "--thinking"]],
    [["sessions", "export", "THE RUN", "--format", "markdown"]],
    [["sessions", "export", "THE RUN", "--format", "text"]],
  ])(
    "%j",
    async (args) => {
      const { stdout, stderr } = await harness(args.map(named), {
        env: { ...env, FORCE_COLOR: "0" },
        cwd: project,
      });
      expect(`${stdout}${stderr}`).not.toMatch(unsafe);
      expect(`${stdout}`).toContain("red");
    },
    60_000,
  );

  it.each([
    [["config", "show", "--json"]],
    [["check", "claude", "--json"]],
    [["list", "--json"]],
    [["models", "list", "--json"]],
    [["models", "resolve", nasty, "--agent", "claude", "--json"]],
    [["models", "update", "--json"]],
    [["models", "path", "--json"]],
    [["sessions", "list", "--json"]],
    [["sessions", "show", "same1", "--json"]],
    [["sessions", "replay", "THE RUN", "--format", "ndjson"]],
    [["sessions", "replay", "THE RUN", "--format", "events"]],
    [["sessions", "replay", "THE RUN", "--format", "run-events"]],
    [["sessions", "replay", "THE RUN", "--format", "full"]],
    [["sessions", "replay", "THE RUN", "--format", "json"]],
  ])(
    "%j",
    async (args) => {
      const { stdout, stderr } = await harness(args.map(named), { env, cwd: project });
      expect(`${stdout}`, stderr).not.toBe("");
      expect(`${stdout}`).not.toMatch(unsafeInJson);
      expect(() =>
        `${stdout}`
          .trim()
          .split(/\n(?=[{[])/)
          .map((text) => JSON.parse(text)),
      ).not.toThrow();
    },
    60_000,
  );

  it("raw passes through what the agent printed, byte for byte", async () => {
    const { stdout } = await harness(["sessions", "export", recorded, "--format", "raw"], {
      env,
      cwd: project,
    });
    expect(`${stdout}`).toBe(`${nasty}\n`);
  }, 60_000);
});

it("commands write through the one place that makes text safe", () => {
  const root = new URL("../../src/cli/", import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  // The built-in script has the text of a program that prints.
  const makers = /^(?:output|complain|main)\.ts$|^scripted-model\/built-in-script\.ts$/;
  // They write streams, documents, recordings, fields of a CSV, lines of a protocol, counts, and rows that `paint` has made safe.
  const printers =
    /^(?:printing|running)\/|^(?:acp|list|stats|view)\/action\.ts$|^chat\/(?:editor|line-chat|terminal-chat|terminal-view)\.ts$|^sessions\/(?:diff|export|import|write-recording)\.ts$|^write-to-file\.ts$|^many\/(?:drafts|progress-line|run-many)\.ts$|^batch\/(?:progress|print-batch|report|status)\.ts$/;
  for (const file of files.map((name) => name.replaceAll("\\", "/"))) {
    const code = readFileSync(new URL(file, root), "utf8");
    if (!makers.test(file)) expect(code, file).not.toMatch(/std(?:out|err)\.write|console\./);
    if (!makers.test(file) && !printers.test(file)) expect(code, file).not.toMatch(/\.write\(/);
  }
});
