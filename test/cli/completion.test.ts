import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idAt, metaOf, writeRecording } from "../runs/archive/recordings.js";
import { commandPath, harness, homeEnvironment, temporaryDirectory } from "./harness.js";

const day = (number: number): string => `2026-11-0${number}T10:00:00.000Z`;
const [older, newer] = [1, 2].map((number) => idAt(day(number)));

/** A home with two recordings, one of which has a hostile prompt, and a shell in which `harness` is on PATH. */
async function createShell() {
  const home = temporaryDirectory();
  const env = {
    ...homeEnvironment(),
    XDG_DATA_HOME: join(home, "data"),
    XDG_CONFIG_HOME: join(home, "config"),
  };
  const directory = join(env.XDG_DATA_HOME, "harness", "sessions");
  writeRecording(
    directory,
    metaOf({ startedAt: day(1), prompt: "Fix\tthe\ntest \u001b]0;x\u0007$(touch pwned) `id`" }),
  );
  writeRecording(directory, metaOf({ startedAt: day(2), agent: "codex" }));
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "harness"), `#!/bin/sh\nexec '${process.execPath}' '${commandPath}' "$@"\n`);
  chmodSync(join(bin, "harness"), 0o755);
  const script = join(home, "completion.bash");
  writeFileSync(script, (await harness(["completion", "bash"], { env })).stdout);
  return {
    env,
    /** What bash would offer for the last of these words. */
    complete(...words: string[]): string[] {
      const code = `source '${script}'; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _harness; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const PATH = `${bin}:${process.env["PATH"]}`;
      const output = execFileSync("bash", ["--norc", "-c", code, "bash", "harness", ...words], {
        env: { ...process.env, ...env, PATH },
        cwd: home,
      });
      return output
        .toString()
        .split("\n")
        .filter((line) => line !== "");
    },
  };
}

describe("completion in bash", () => {
  it("offers ids of recordings, the newest first, by what was typed of them", async () => {
    const { complete } = await createShell();
    expect(complete("sessions", "show", "")).toEqual(["last", newer, older]);
    expect(complete("sessions", "rm", "20261101")).toEqual([older]);
    expect(complete("run", "--resume", "20261102")).toEqual([newer]);
    expect(complete("sessions", "show", "--")).toEqual(["--json", "--help"]);
  });

  it("offers models, agents and the words of commands", async () => {
    const { complete } = await createShell();
    expect(complete("run", "--model", "opu")).toContain("opus");
    expect(complete("run", "-a", "cla")).toEqual(["claude"]);
    expect(complete("check", "co")).toEqual(["codex", "copilot"]);
    expect(complete("stats", "--by", "d")).toEqual(["day", "directory"]);
    expect(complete("sess")).toEqual(["sessions"]);
  });
});

describe("harness complete", () => {
  it("describes each run in one safe line", async () => {
    const { env } = await createShell();
    const { stdout } = await harness(["complete", "sessions"], { env });
    const lines = stdout.toString().split("\n");
    expect(lines[0]).toBe("last\tthe newest run");
    expect(lines[1]).toMatch(new RegExp(`^${newer}\\t\\d+[a-z] ago, codex, completed: Fix it$`));
    expect(lines[2]).toMatch(new RegExp(`^${older}\\t[^\\t\\u001b]*: Fix the test [^\\t\\u001b]*$`));
    expect(lines).toHaveLength(4);
  });

  it("leaves out values that a shell would not take as they are", async () => {
    const { env } = await createShell();
    mkdirSync(join(env.XDG_CONFIG_HOME, "harness"), { recursive: true });
    writeFileSync(
      join(env.XDG_CONFIG_HOME, "harness", "config.toml"),
      '[models."$(touch pwned)"]\nclaude = "x"\n[models.plain-name]\nclaude = "y"\n',
    );
    const { stdout } = await harness(["complete", "models"], { env });
    expect(stdout.toString()).toContain("plain-name\t");
    expect(stdout.toString()).not.toContain("pwned");
  });
});
