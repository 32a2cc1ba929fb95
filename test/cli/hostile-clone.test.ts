import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { defineAgent } from "../../src/agents/define-agent.js";
import { createProgram } from "../../src/cli/program.js";
import { run } from "../../src/live/run.js";
import { createHostileClone, type HostileClone, snapshot } from "../support/hostile-clone.js";
import { commandPath, harness, homeEnvironment, program, temporaryDirectory } from "./harness.js";

/** A recording of an agent that goes by the name that the clone's module has. */
let recorded = "";

beforeAll(async () => {
  const agent = defineAgent({
    id: "evil",
    launch: () => ({ args: [] }),
    createMapping: () => ({
      record(record, out) {
        out.emit({ type: "agent", message: String(record["say"]) });
        out.run.terminal = "success";
      },
    }),
  });
  const { XDG_DATA_HOME } = homeEnvironment();
  const started = run({
    agent,
    prompt: "Say it",
    binary: program(`console.log(JSON.stringify({ say: "I was here" }));`),
    sessionsDirectory: join(XDG_DATA_HOME, "harness", "sessions"),
  });
  await started.result;
  recorded = started.runId;
});

const task = ["-p", "Do it", "--no-log"];

/** A plan of the user's own, with the agents that the clone's configuration names. */
function planFor(agent: string): string {
  const path = join(temporaryDirectory(), "plan.toml");
  writeFileSync(path, `[[tasks]]\nid = "do"\nprompt = "Do it"\n[[arms]]\nagent = "${agent}"\n`);
  return path;
}

/** How each command is given in a clone. A command that is not here fails the test below. */
const given: Record<string, readonly (readonly string[])[]> = {
  demo: [["--fast"]],
  "scripted-model": [["--print-script"], ["--run", "evil"], ["--run", "claude", "--no-log"]],
  run: [
    [...task, "--quiet"],
    [...task, "--quiet", "--permissions", "read-only"],
    [...task, "--dry-run"],
    [...task, "--dry-run", "-a", "evil"],
    [...task, "-a", "evil"],
    [...task, "-a", "other"],
    [...task, "-a", "evil", "--dry-run", "--permissions", "read-only"],
  ],
  chat: [["Do it"], ["Do it", "-a", "evil"], ["Do it", "-a", "other"], ["--attach", "last"]],
  mcp: [[], ["--agents", "evil"]],
  acp: [[], ["--agent", "evil"], ["--agent", "claude"]],
  translate: [[], ["-a", "claude"], ["-a", "evil"], ["-a", "other", "--explain"]],
  "sessions list": [[], ["--agent", "evil"], ["--agent", "other"]],
  "sessions show": [["last"]],
  "sessions diff": [["last"], ["last", "--stat"]],
  "sessions replay": [
    ["last", "--speed", "max", "-f", "text"],
    ["last", "-f", "raw"],
  ],
  "sessions export": [["last"], ["last", "-f", "html"], ["last", "-f", "full"]],
  "sessions import": [["-"], ["-", "--agent", "evil"], ["--from", "all"]],
  "sessions rm": [["nothing"]],
  "sessions prune": [["--older-than", "1000d"]],
  stats: [[], ["--agent", "evil"], ["--here", "--json"]],
  batch: [[planFor("claude"), "--dry-run"], [planFor("evil")], [planFor("other"), "--no-isolated"]],
  "batch resume": [[]],
  "batch report": [[]],
  "batch status": [[]],
  "batch list": [[]],
  worker: [["--queue", "nowhere"]],
  view: [],
  list: [[], ["--json"]],
  check: [["claude"], ["evil"], ["other", "--json"]],
  "models list": [[], ["--agent", "evil"]],
  "models resolve": [["opus"], ["opus", "--agent", "evil"]],
  "models update": [[]],
  "models path": [[]],
  "config show": [[], ["--json"]],
  "config path": [[]],
  "config init": [[]],
  trust: [[], ["--list"], ["--revoke"]],
  completion: [["bash"]],
  complete: [["models"], ["agents"], ["sessions"], ["batches"]],
  help: [["configuration"]],
  version: [[]],
};

const commandLine = createProgram(() => undefined);
const leaves = leavesOf(commandLine, []);

function leavesOf(command: Command, path: readonly string[]): string[] {
  const own = command.commands.length === 0 || command.registeredArguments.length > 0 ? [path.join(" ")] : [];
  return [...own, ...command.commands.flatMap((sub) => leavesOf(sub, [...path, sub.name()]))];
}

describe("a hostile clone", () => {
  it("is tried with every command there is", () => {
    const hint = "a new command needs an entry in `given` above: how it is called in a clone";
    expect(Object.keys(given).sort(), hint).toEqual([...leaves].sort());
  });

  it.each(
    leaves.flatMap((leaf) =>
      (given[leaf] ?? []).map((args) => [`${leaf} ${args.join(" ")}`, leaf, args] as const),
    ),
  )("harness %s: nothing of it happens", { timeout: 60_000 }, async (_title, leaf, args) => {
    const clone = await createHostileClone();
    const before = snapshot(clone.path);
    const result = await harness([...leaf.split(" "), ...args], {
      cwd: join(clone.path, "src"),
      env: { PATH: `${clone.bin}:${process.env["PATH"]}` },
      stdin: '{"type":"result"}\n',
    });
    expect(clone.deeds()).toEqual([]);
    expect(snapshot(clone.path)).toMatchObject(before);
    expect(result.stderr).not.toContain("\n    at ");
    // A command that is called wrongly does nothing in any directory.
    expect(result.stderr).not.toMatch(/unknown option|unknown command/);
    if (leaf !== "run" || args.includes("--dry-run") || args.includes("-a")) return;
    const { args: passed, env } = JSON.parse(result.stdout.toString());
    expect(env).not.toHaveProperty("ANTHROPIC_BASE_URL", expect.stringContaining("127.0.0.1"));
    expect(env["NODE_OPTIONS"] ?? "").not.toContain("evil");
    const isReadOnly = args.includes("read-only");
    expect(passed.includes("--dangerously-skip-permissions")).toBe(!isReadOnly);
    // Names of models count: they are only names.
    expect(passed).toContain("claude-opus-4-8");
  });

  it("is told in one sentence, with what is not in effect and the command that trusts it", async () => {
    const clone = await createHostileClone();
    const { stderr } = await harness(["config", "show", "--json"], { cwd: clone.path });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(
      /^harness: .*harness\.toml is not trusted, so these settings are not in effect: models_url, /,
    );
    for (const key of ["binary", "extra_args", "env.ANTHROPIC_BASE_URL", "env.NODE_OPTIONS"])
      expect(stderr).toContain(`agents.claude.${key}`);
    expect(stderr).toMatch(/to read and trust it: harness trust\n$/);
    const elsewhere = temporaryDirectory();
    const dry = await harness(["run", "-p", "x", "--dry-run", "-a", "codex", "--cwd", clone.path], {
      cwd: elsewhere,
    });
    expect(dry.stderr).toContain(`harness trust ${clone.path}\n`);
  });

  it("cannot have its agents used, and says why", async () => {
    const clone = await createHostileClone();
    const { stderr, exitCode } = await harness(["run", "-a", "evil", "-p", "x"], { cwd: clone.path });
    expect(stderr).toMatch(
      /the agent "evil" cannot be used: .*harness\.toml is not trusted, which defines it/,
    );
    expect(exitCode).toBe(2);
  });

  it("on the page: choosing its directory and opening a recording there do nothing", {
    timeout: 60_000,
  }, async () => {
    const clone = await createHostileClone();
    const page = await openPage(clone);
    const here = JSON.parse(await page.get(`/api/agents?cwd=${encodeURIComponent(join(clone.path, "src"))}`));
    expect(here.notice).toMatch(
      /harness\.toml is not trusted, so .*agents\.evil\.module.*: harness trust \//,
    );
    expect(here.permissions).toBe("full-access");
    expect(here.agents.map(({ id }: { id: string }) => id)).not.toContain("evil");
    for (const path of ["/api/runs", `/api/runs/${recorded}/stream`, `/api/runs/${recorded}/events/1`])
      await page.get(path);
    const refused = JSON.parse(await page.post({ agent: "evil", prompt: "x", cwd: clone.path }));
    expect(refused).toMatchObject({ code: "untrusted_config" });
    const started = JSON.parse(await page.post({ agent: "claude", prompt: "do it", cwd: clone.path }));
    const stream = await page.get(`/api/runs/${started.id}/stream`);
    expect(stream).toContain("claude-opus-4-8");
    expect(stream).not.toContain("--require");
    expect(clone.deeds()).toEqual([]);
    await page.close();
  });

  it("does all of it when it is trusted: the canaries sing", async () => {
    const clone = await createHostileClone();
    const env = { PATH: `${clone.bin}:${process.env["PATH"]}` };
    await harness(["run", ...task, "-a", "evil", "--binary", "/bin/true", "--trust"], {
      cwd: clone.path,
      env,
    });
    expect(clone.deeds()).toContain("module");
    await harness(["run", ...task, "-a", "claude", "--quiet"], {
      cwd: clone.path,
      env: { ...env, HARNESS_TRUST: "1" },
    });
    expect(clone.deeds()).toEqual(expect.arrayContaining(["binary", "script"]));
    const { stdout } = await harness(["models", "update"], { cwd: clone.path, env: { HARNESS_TRUST: "1" } });
    expect(stdout.toString()).toContain("updated");
  });

  it("even when it is trusted, no module is imported but to run or to translate", async () => {
    const clone = await createHostileClone();
    const env = { PATH: `${clone.bin}:${process.env["PATH"]}`, HARNESS_TRUST: "1" };
    const looks = [
      ["list"],
      ["check", "evil"],
      ["run", ...task, "-a", "evil", "--dry-run"],
      ["models", "resolve", "opus", "-a", "evil"],
      ["models", "list", "-a", "evil"],
      ["sessions", "show", recorded],
      ["sessions", "replay", recorded, "--speed", "max"],
      ["sessions", "export", recorded],
    ];
    await Promise.all(looks.map((args) => harness(args, { cwd: clone.path, env })));
    expect(clone.deeds()).not.toContain("module");
    await harness(["translate", "-a", "evil"], { cwd: clone.path, env });
    expect(clone.deeds()).toContain("module");
  });
});

interface OpenPage {
  get(path: string): Promise<string>;
  post(body: object): Promise<string>;
  close(): Promise<void>;
}

async function openPage(clone: HostileClone): Promise<OpenPage> {
  expect(existsSync(commandPath)).toBe(true);
  const { HARNESS_RUN_ID, HARNESS_TRUST, ...inherited } = process.env;
  const child = spawn(process.execPath, [commandPath, "view", "--port", "0"], {
    cwd: clone.path,
    env: { ...inherited, ...homeEnvironment(), PATH: `${clone.bin}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes("Stop with")) break;
  }
  const [, origin = "", token = ""] = /(http:\/\/\S+?)\/\?token=(\S+)/.exec(printed) ?? [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    get: async (path) => (await fetch(origin + path, { headers })).text(),
    post: async (body) =>
      (await fetch(`${origin}/api/runs`, { method: "POST", headers, body: JSON.stringify(body) })).text(),
    async close() {
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}
