import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { type CommandResult, harness, temporaryDirectory } from "./harness.js";

const fixtures = fileURLToPath(new URL("../fixtures/stores/", import.meta.url));

/** A user whose agents have kept the sessions of some scenarios. */
function createUser(...scenarios: string[]) {
  const root = temporaryDirectory();
  const home = join(root, "home");
  mkdirSync(home);
  const env = { HOME: home, XDG_DATA_HOME: join(root, "data") };
  const run = (args: readonly string[], stdin = ""): Promise<CommandResult> => harness(args, { env, stdin });
  function keep(scenario: string): void {
    cpSync(`${fixtures}${scenario}/store`, home, { recursive: true });
  }
  scenarios.forEach(keep);
  return {
    home,
    keep,
    run,
    directory: join(env.XDG_DATA_HOME, "harness", "sessions"),
    async json(args: readonly string[]) {
      const { stdout, stderr, exitCode } = await run([...args, "--json"]);
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      return JSON.parse(stdout.toString());
    },
  };
}

/** Every file below a directory, with its size and the time of its last change. */
function stateOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map(
      (name) => `${name} ${statSync(join(directory, name)).size} ${statSync(join(directory, name)).mtimeMs}`,
    )
    .sort();
}

function fileIn(directory: string, end: string): string {
  const name = readdirSync(directory, { recursive: true, encoding: "utf8" }).find((one) => one.endsWith(end));
  return join(directory, name ?? "");
}

const states = (sessions: { state: string }[]): string[] => sessions.map(({ state }) => state).sort();

describe("sessions import --from", () => {
  it("imports each session once, and leaves the store as it is", async () => {
    const { run, json, home, directory } = createUser("claude/resume", "claude/subagent", "codex/files");
    const before = stateOf(home);
    const planned = await run(["sessions", "import", "--from", "all", "--dry-run"]);
    expect(planned.stdout.toString()).toContain("3 sessions would be imported\n");
    expect(existsSync(directory)).toBe(false);
    const imported = await run(["sessions", "import", "--from", "all"]);
    expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
    expect(imported.stdout.toString()).toMatch(
      /claude {2}\S+ ago {2}Completed {2}Remember the word tangerine\.\n(?:.*\n)*3 sessions imported\n/,
    );
    expect((await run(["sessions", "import", "--from", "all"])).stdout.toString()).toBe(
      "0 sessions imported, 3 imported before\n",
    );
    expect(stateOf(home)).toEqual(before);
    expect(readdirSync(directory).filter((name) => name.startsWith(".importing"))).toEqual([]);

    const listed = await json(["sessions", "list"]);
    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual(
      expect.objectContaining({
        agent: "claude",
        outcome: "completed",
        prompt: "Remember the word tangerine.",
        cwd: "/workspace/claude-resume",
        usage: expect.objectContaining({ totalTokens: 5460 }),
      }),
    );
    expect((await run(["sessions", "list"])).stdout.toString()).toContain("(imported) Work with the files.");
    expect((await json(["stats", "--all"])).totals.runs).toBe(0);
    expect(await json(["stats", "--all", "--imported"])).toMatchObject({ imported: 3, totals: { runs: 3 } });
  });

  it("gives recordings that are replayed and exported as they were imported", async () => {
    const { run, json, directory } = createUser("claude/subagent", "codex/twosubs", "codex/killed");
    const made: { id: string }[] = await json(["sessions", "import", "--from", "all"]);
    for (const { id } of made) {
      const { events, ndjson } = recordingPaths(directory, id);
      for (const [format, path] of [
        ["events", events],
        ["ndjson", ndjson],
      ] as const) {
        const replayed = await run(["sessions", "replay", id, "-f", format, "--speed", "max"]);
        expect(replayed.stdout.toString()).toBe(readFileSync(path, "utf8"));
      }
    }
    const [id = ""] = made.map((one) => one.id);
    const page = (await run(["sessions", "export", id, "-f", "html"])).stdout.toString();
    expect(page).toContain("<html");
    const shown = (await run(["sessions", "show", id])).stdout.toString();
    expect(shown).toMatch(/turns +1\n/);
    // Its raw.jsonl alone, on another machine, is still a stored session.
    const { raw, events } = recordingPaths(directory, id);
    const other = createUser();
    const copy = join(other.home, "copy.jsonl");
    cpSync(raw, copy);
    const [again] = await other.json(["sessions", "import", "--agent", "claude", copy]);
    const replayed = await other.run(["sessions", "replay", again.id, "-f", "events", "--speed", "max"]);
    expect(replayed.stdout.toString()).toBe(readFileSync(events, "utf8"));
  });

  it("imports a session again in its place when it has grown, and keeps it when the store has less", async () => {
    const { json, home, directory } = createUser("claude/resume");
    const file = fileIn(home, ".jsonl");
    const whole = readFileSync(file, "utf8");
    const lines = whole.split("\n");
    // The first turn only, and half a line, as an agent at work leaves it.
    writeFileSync(file, `${lines.slice(0, 29).join("\n")}\n${lines[29]?.slice(0, 40)}`);
    const [first] = await json(["sessions", "import", "--from", "claude"]);
    expect(first).toMatchObject({ state: "new", outcome: "completed" });
    writeFileSync(file, whole);
    const [again] = await json(["sessions", "import", "--from", "claude"]);
    expect(again).toMatchObject({ state: "grown", id: first.id, outcome: "completed" });
    expect(await json(["sessions", "list"])).toMatchObject([{ id: first.id, usage: { totalTokens: 5460 } }]);
    expect(await json(["sessions", "list", "--outcome", "completed"])).toHaveLength(1);
    truncateSync(file, 2000);
    expect(states(await json(["sessions", "import", "--from", "claude"]))).toEqual(["unchanged"]);
    rmSync(recordingPaths(directory, first.id).meta);
    writeFileSync(file, whole);
    expect(states(await json(["sessions", "import", "--from", "claude"]))).toEqual(["new"]);
    expect(readdirSync(directory).filter((name) => name.startsWith(first.id))).toHaveLength(3);
  });

  it("takes only what was asked for", async () => {
    const { run, json, home, keep } = createUser("claude/text", "codex/text", "codex/shell");
    const old = new Date(Date.now() - 40 * 86_400_000);
    utimesSync(fileIn(join(home, ".claude"), ".jsonl"), old, old);
    const dry = (...args: string[]) => json(["sessions", "import", "--dry-run", "--from", ...args]);
    expect(await dry("all")).toHaveLength(3);
    expect(await dry("all", "--since", "30d")).toHaveLength(2);
    expect(await dry("all", "--cwd", "/workspace/codex-text")).toMatchObject([{ agent: "codex" }]);
    const [{ session }] = await dry("openai-codex", "--cwd", "/workspace/codex-shell");
    expect(await dry("codex", "--session", session.slice(0, 30))).toMatchObject([{ session }]);
    expect(await dry("claude", "--home", `${fixtures}claude/skill/store`)).toMatchObject([
      { cwd: "/workspace/claude-skill" },
    ]);
    expect(await json(["sessions", "import", "--from"])).toMatchObject([
      { agent: "claude", sessions: 1 },
      { agent: "codex", sessions: 2 },
    ]);
    keep("claude/skill");
    const both = await run(["sessions", "import", "--from"]);
    expect(both.stdout.toString()).toMatch(/^AGENT +SESSIONS +LAST USED +DIRECTORY\nclaude +2 +/);
  });

  it("leaves out sessions that harness itself has recorded, unless one is named", async () => {
    const { json, run, home, directory } = createUser("claude/text");
    await run(["sessions", "import", `${fixtures}claude/text/stdout.jsonl`]);
    const [{ id }] = await json(["sessions", "list"]);
    const { meta } = recordingPaths(directory, id);
    const { imported, ...own } = JSON.parse(readFileSync(meta, "utf8"));
    writeFileSync(meta, JSON.stringify(own));
    expect(states(await json(["sessions", "import", "--from", "claude"]))).toEqual(["recorded"]);
    expect(
      states(await json(["sessions", "import", "--from", "claude", "--session", own.sessionId])),
    ).toEqual(["new"]);
    expect(existsSync(home)).toBe(true);
  });

  it("is safe with links, pipes, damaged files and hostile text", async () => {
    const { json, run, home } = createUser("claude/spoof", "codex/text");
    const project = join(home, ".claude/projects/-workspace-claude-spoof");
    const secret = join(home, "secret.jsonl");
    const prompt = { type: "user", isSidechain: false, message: { role: "user", content: "secret" } };
    writeFileSync(secret, `${JSON.stringify({ ...prompt, timestamp: "2026-01-01T00:00:00.000Z" })}\n`);
    symlinkSync(secret, join(project, "0a0a0a0a-0000-4000-8000-000000000001.jsonl"));
    symlinkSync("/", join(home, ".claude/projects/root"));
    writeFileSync(join(project, "0a0a0a0a-0000-4000-8000-000000000002.jsonl"), '\0\xff not JSON\n{"type":');
    writeFileSync(join(project, "0a0a0a0a-0000-4000-8000-000000000003.jsonl"), "");
    appendFileSync(fileIn(join(home, ".codex"), ".jsonl"), `{"timestamp":"x","type":"event_msg"}\n{"cut`);
    const made = await json(["sessions", "import", "--from", "all"]);
    expect(states(made)).toEqual(["empty", "empty", "new", "new"]);
    expect(JSON.stringify(await json(["sessions", "list"]))).not.toContain("secret");
    const again = await run(["sessions", "import", "--from", "claude", "--dry-run"]);
    const list = await run(["sessions", "list"]);
    for (const { stdout } of [again, list]) expect(stdout.toString()).not.toContain("\u001b");
  });

  it.each([
    [["--from", "nobody"], /there is no agent "nobody"; --from takes claude, codex/],
    [["--from", "goose"], /the sessions of Goose cannot be imported; --from takes claude/],
    [["--from", "claude", "x.jsonl"], /--from takes no files|there is no agent/],
    [["--from", "claude", "--prompt", "x"], /--prompt does not count with --from/],
    [["--from", "claude", "--home", "/nowhere"], /\/nowhere is not a directory/],
    [["--since", "3d", "x.jsonl"], /--since only counts with --from/],
    [[], /name a log, or choose --from claude/],
  ])("%j is refused with a sentence", async (args, sentence) => {
    const { exitCode, stderr } = await createUser().run(["sessions", "import", ...args]);
    expect(stderr).toMatch(sentence);
    expect(exitCode).not.toBe(0);
  });

  it("recognises a file of a store that is given as a log", async () => {
    const { run, home } = createUser("claude/text", "codex/text");
    for (const [agent, folder] of [
      ["claude", ".claude"],
      ["codex", ".codex"],
    ] as const) {
      const { stderr, exitCode } = await run(["sessions", "import", fileIn(join(home, folder), ".jsonl")]);
      expect({ exitCode, isHelpful: stderr.includes(`harness sessions import --from ${agent}`) }).toEqual({
        exitCode: 2,
        isHelpful: true,
      });
    }
    expect((await run(["sessions", "import", "--from"])).stdout.toString()).toContain("claude");
  });
});
