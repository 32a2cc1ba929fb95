import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { registryToml } from "../../src/models/registry-toml.js";
import { nowhere, registryText, serve } from "../models/registry-server.js";
import { harness, jsonLines, program, programThatReplays, temporaryDirectory } from "./harness.js";

/** A project with this configuration, and a cache of its own. */
function project(toml = "") {
  const cwd = temporaryDirectory();
  const cache = temporaryDirectory();
  writeFileSync(join(cwd, "harness.toml"), toml);
  const path = join(cache, "harness", "models.toml");
  const run = async (...args: string[]) => {
    const result = await harness(args, { cwd, env: { XDG_CACHE_HOME: cache, HARNESS_TRUST: "1" } });
    return { ...result, stdout: result.stdout.toString() };
  };
  const keep = (text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return { cwd, path, run, keep };
}

const own = '[models.fast]\ndescription = "quick"\nclaude = "claude-haiku-5-5"\ncodex = "gpt-6-luna"\n';

describe("harness models resolve", () => {
  it.each([
    [
      "opus",
      "opencode",
      "anthropic/claude-opus-5-5",
      /"opus" is "anthropic\/claude-opus-5-5" for OpenCode \(built in\); \$4 input, \$20 output/,
    ],
    ["opus", "claude-code", "opus", /"opus" is Claude Code's own name for it \(built in\)/],
    ["fast", "codex", "gpt-6-luna", /"fast" is "gpt-6-luna" for Codex \(project: .*harness\.toml\)/],
    [
      "fast",
      "pi",
      "fast",
      /warning: the model "fast" has no id for Pi and is passed on unchanged; .*: claude, codex$/m,
    ],
    ["opsu", "opencode", "opsu", /"opsu" is not a known name .*; did you mean "opus"\?/],
    [
      "my/own",
      "opencode",
      "my/own",
      /"my\/own" is not a known name and is passed on to OpenCode unchanged$/m,
    ],
  ])(
    "%s for %s: the id on standard output, the explanation on standard error",
    async (name, agent, id, explanation) => {
      const { stdout, stderr, exitCode } = await project(own).run(
        "models",
        "resolve",
        name,
        "--agent",
        agent,
      );
      expect(stdout).toBe(`${id}\n`);
      expect(stderr).toMatch(explanation);
      expect(exitCode).toBe(0);
    },
  );

  it("takes the default agent when none is named", async () => {
    const { stdout } = await project('default_agent = "pi"').run("models", "resolve", "gpt");
    expect(stdout).toBe("openai/gpt-6.1-sol\n");
  });

  it("prints JSON with what it found", async () => {
    const { stdout, stderr } = await project().run("models", "resolve", "gpt", "-a", "codex", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "resolved",
      name: "gpt",
      agent: "codex",
      id: "gpt-6.1-sol",
      from: "built-in",
      price: { input: 2, output: 10, source: expect.any(String), date: expect.any(String) },
    });
    expect(stderr).toBe("");
  });

  it.each([
    [["opus"], /choose one with --agent/],
    [["opus", "-a", "cluade"], /unknown agent "cluade"; did you mean "claude"\?/],
    [["opus", "-a", "bob"], /IBM Bob cannot be given a model/],
    [["", "-a", "codex"], /the name is empty/],
    [[], /missing required argument/],
  ])("is refused: %j", async (args, message) => {
    const { stdout, stderr, exitCode } = await project().run("models", "resolve", ...args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(exitCode).toBe(2);
  });
});

describe("harness models list", () => {
  it("lists one's own names first, then the built-in ones, with prices and agents", async () => {
    const { stdout, exitCode } = await project(own).run("models", "list");
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^NAME +FROM +PRICE IN \/ OUT +DESCRIPTION +AGENTS$/);
    expect(lines[1]).toMatch(/^fast +project +\$0\.1 \/ \$0\.5 +quick +claude codex$/);
    expect(stdout).toMatch(/^opus +built-in +\$4 \/ \$20 .*claude/m);
    expect(exitCode).toBe(0);
  });

  it("lists the names of one agent with its ids", async () => {
    const { stdout } = await project(own).run("models", "list", "--agent", "codex");
    expect(stdout).toMatch(/^fast +gpt-6-luna +project/m);
    expect(stdout).toMatch(/^gpt +gpt-6\.1-sol +built-in/m);
    expect(stdout).not.toMatch(/^opus/m);
  });

  it("prints JSON", async () => {
    const { stdout } = await project(own).run("models", "list", "--json");
    expect(JSON.parse(stdout)[0]).toEqual({
      name: "fast",
      description: "quick",
      ids: {
        claude: { id: "claude-haiku-5-5", from: "project" },
        codex: { id: "gpt-6-luna", from: "project" },
      },
      price: expect.objectContaining({ model: "claude-haiku-5-5", input: 0.1 }),
    });
  });

  it("says nothing but that when an agent takes no model", async () => {
    const { stdout, stderr, exitCode } = await project().run("models", "list", "-a", "bob");
    expect([stdout, exitCode]).toEqual(["", 0]);
    expect(stderr).toMatch(/no name has an id for bob/);
  });
});

describe("harness models update", () => {
  const answer =
    (text: string): RequestListener =>
    (_request, response) =>
      response.end(text);

  it("fetches the registry, which then counts", async () => {
    const { run, path } = project(`models_url = "${await serve(answer(registryText))}"`);
    const update = await run("models", "update");
    expect(update).toMatchObject({ stdout: `updated ${path} (1 name)\n`, stderr: "", exitCode: 0 });
    const { stdout, stderr } = await run("models", "resolve", "quick", "-a", "codex");
    expect(stdout).toBe("gpt-6-luna\n");
    expect(stderr).toContain(`registry: ${path}`);
    expect((await run("models", "path")).stderr).toMatch(/in use: 1 name, fetched from http:.* at 20/);
  });

  it("keeps the old registry and exits with 1 when the answer is none", async () => {
    const url = await serve(answer("<html>Not here</html>"));
    const { run, path, keep } = project(`models_url = "${url}"`);
    const old = registryToml({
      models: new Map([["old", { ids: new Map([["claude", "x"]]) }]]),
      fetchedFrom: url,
      fetchedAt: "2026-01-02T00:00:00.000Z",
    });
    keep(old);
    const { stdout, stderr, exitCode } = await run("models", "update");
    expect([stdout, exitCode]).toEqual(["", 1]);
    expect(stderr).toMatch(/not updated: .* it is HTML, not TOML; the registry of 2026-01-02 stays in use/);
    expect(readFileSync(path, "utf8")).toBe(old);
    expect((await run("models", "resolve", "old", "-a", "claude")).stdout).toBe("x\n");
  });

  it("is no error without a network", async () => {
    const { run } = project(`models_url = "${await nowhere()}"`);
    const { stderr, exitCode } = await run("models", "update");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/not updated: cannot reach http:.*ECONNREFUSED.*; the built-in names are used/);
    const { stdout } = await run("models", "update", "--json", "--timeout", "5");
    expect(JSON.parse(stdout)).toMatchObject({ isUpdated: false, code: "registry_unreachable" });
  });

  it("says what to set when there is no address", async () => {
    const { stderr, exitCode } = await project().run("models", "update");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/set it in harness\.toml or .*config\.toml/);
  });
});

describe("the registry that is kept", () => {
  it("counts only where its address is the one in force", async () => {
    const { run, keep } = project();
    keep(`fetched_from = "http://elsewhere.example/"\n${registryText}`);
    expect((await run("models", "resolve", "quick", "-a", "codex")).stdout).toBe("quick\n");
    expect((await run("models", "path")).stderr).toMatch(
      /not in use here: it was fetched from http:\/\/elsewhere/,
    );
  });

  it("counts everywhere when somebody put it there by hand", async () => {
    const { run, keep } = project();
    keep(registryText);
    expect((await run("models", "resolve", "quick", "-a", "codex")).stdout).toBe("gpt-6-luna\n");
    const report = JSON.parse((await run("models", "path", "--json")).stdout);
    expect(report).toMatchObject({ exists: true, isInUse: true, isFresh: false, models: 1 });
  });

  it("is told and left aside when it is damaged", async () => {
    const { run, keep } = project();
    keep("[models.a");
    const { stdout, stderr, exitCode } = await run("models", "resolve", "opus", "-a", "pi");
    expect([stdout, exitCode]).toEqual(["anthropic/claude-opus-5-5\n", 0]);
    expect(stderr).toMatch(/warning: .* is not a model registry: .*; it is not used/);
  });

  it("has a path, there or not", async () => {
    const { run, path } = project();
    const { stdout, stderr, exitCode } = await run("models", "path");
    expect([stdout, exitCode]).toEqual([`${path}\n`, 0]);
    expect(stderr).toMatch(/there is no registry, and no models_url/);
  });
});

describe("harness run --model", () => {
  const echo = () =>
    program(
      `console.log(JSON.stringify({ type: "result", is_error: false, subtype: "success", result: JSON.stringify(process.argv.slice(2)) }));`,
    );
  const argumentsOf = (stdout: string): string[] => JSON.parse(String(jsonLines(stdout).at(-1)?.["text"]));

  it("hands the resolved id to the agent", async () => {
    const { run } = project('[models.opus]\nclaude = "claude-opus-4-6"');
    const { stdout, stderr } = await run(
      "run",
      "-a",
      "claude",
      "-p",
      "do it",
      "--binary",
      echo(),
      "--no-log",
      "-m",
      "opus",
      "-f",
      "ndjson",
    );
    expect(argumentsOf(stdout)).toContain("claude-opus-4-6");
    expect(stderr).toBe("");
  });

  it("hands over a name without an id for the agent, with a warning", async () => {
    const { run } = project();
    const { stdout, stderr } = await run(
      "run",
      "-a",
      "claude",
      "-p",
      "do it",
      "--binary",
      echo(),
      "--no-log",
      "-m",
      "gpt",
      "-f",
      "ndjson",
    );
    expect(argumentsOf(stdout)).toContain("gpt");
    expect(stderr).toMatch(/^harness: warning: the model "gpt" has no id for Claude Code/);
  });

  it("shows the resolved id in a dry run", async () => {
    const { run } = project('default_model = "sonnet"');
    const { stdout } = await run("run", "-a", "opencode", "-p", "do it", "--binary", echo(), "--dry-run");
    expect(stdout).toMatch(/^model +anthropic\/claude-sonnet-5-5$/m);
  });

  it("estimates the cost of an agent that reports none, and says that it did", async () => {
    const { run } = project();
    const binary = programThatReplays("codex", "files");
    const { stdout } = await run(
      "run",
      "-a",
      "codex",
      "-p",
      "do it",
      "--binary",
      binary,
      "--no-log",
      "-m",
      "gpt",
      "-f",
      "full",
    );
    const events = jsonLines(stdout);
    expect(events.find(({ type }) => type === "result")).toMatchObject({
      costUsd: 0.015924,
      costSource: "estimated",
    });
  });

  it("estimates with a price of the registry before a built-in one", async () => {
    const { run, keep } = project();
    keep('[models.mine]\ncodex = "gpt-6.1-sol"\n[models.mine.price]\ninput = 0\noutput = 1000000\n');
    const binary = programThatReplays("codex", "files");
    const { stdout } = await run(
      "run",
      "-a",
      "codex",
      "-p",
      "do it",
      "--binary",
      binary,
      "--no-log",
      "-m",
      "mine",
      "-f",
      "full",
    );
    expect(jsonLines(stdout).find(({ type }) => type === "result")).toMatchObject({ costUsd: 436 });
  });

  it("does not wait for a registry that does not come", { timeout: 9_000 }, async () => {
    const { run } = project(`models_url = "${await serve(() => undefined)}"`);
    const { exitCode, stderr } = await run(
      "run",
      "-a",
      "claude",
      "-p",
      "do it",
      "--binary",
      echo(),
      "--no-log",
      "-f",
      "ndjson",
    );
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});
