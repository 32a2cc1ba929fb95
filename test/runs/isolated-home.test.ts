import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Isolation } from "../../src/agents/isolation.js";
import { type IsolatedHome, planHome } from "../../src/runs/isolated-home.js";
import { testAgent } from "./test-agent.js";

let root: string;
let user: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "home-")));
  user = join(root, "user");
  for (const folder of ["user", "work", "run"]) mkdirSync(join(root, folder));
});

function write(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function plan(
  isolation: Isolation,
  {
    seed,
    cwd = join(root, "work"),
    env = {},
  }: { seed?: string; cwd?: string; env?: Record<string, string> } = {},
): IsolatedHome {
  const place = { directory: join(root, "run"), cwd, seed };
  return planHome({ ...testAgent, isolation }, place, { HOME: user, ...env });
}

const own: Isolation = {
  variables: { AGENT_DIR: ".agent" },
  credentials: [{ in: "AGENT_DIR", file: "auth.json" }],
};
const moved: Isolation = { ...own, variables: { ...own.variables, HOME: "" }, caches: [".cache/agent"] };

/** As programs do that renew a token. */
function replace(path: string, content: string): void {
  write(`${path}.new`, content);
  const later = new Date(Date.now() + 5_000);
  utimesSync(`${path}.new`, later, later);
  renameSync(`${path}.new`, path);
}

describe("an isolated home", () => {
  it("moves the agent's variables, sets its switches, and drops what would bring settings in", () => {
    const isolation = { ...own, switches: { AGENT_PLAIN: "1" }, removed: ["AGENT_RULES"] };
    const { inherited, directory } = plan(isolation, {
      env: { AGENT_RULES: "x", AGENT_DIR: "/mine", LANG: "C" },
    });
    expect(inherited).toEqual({
      HOME: user,
      LANG: "C",
      AGENT_DIR: join(directory, ".agent"),
      AGENT_PLAIN: "1",
    });
  });

  it("is empty but for the credentials, and only this user can read it", () => {
    write(join(user, ".agent/auth.json"), "token");
    write(join(user, ".agent/settings.json"), "mine");
    const home = plan(own);
    home.create();
    expect(readFileSync(join(home.directory, ".agent/auth.json"), "utf8")).toBe("token");
    expect(existsSync(join(home.directory, ".agent/settings.json"))).toBe(false);
    expect(lstatSync(home.directory).mode & 0o777).toBe(0o700);
  });

  it("finds the credentials where the user's own variable leads", () => {
    write(join(root, "elsewhere/auth.json"), "token");
    const home = plan(own, { env: { AGENT_DIR: join(root, "elsewhere") } });
    home.create();
    expect(readFileSync(join(home.directory, ".agent/auth.json"), "utf8")).toBe("token");
  });

  it("brings a renewed credential back, whether it was written or replaced", () => {
    const file = write(join(user, ".agent/auth.json"), "old");
    const home = plan(own);
    home.create();
    writeFileSync(join(home.directory, ".agent/auth.json"), "written");
    expect(readFileSync(file, "utf8")).toBe("written");
    replace(join(home.directory, ".agent/auth.json"), "replaced");
    home.keepCredentials();
    expect(readFileSync(file, "utf8")).toBe("replaced");
    expect(lstatSync(file).isFile()).toBe(true);
  });

  it("leaves the user's file alone if it is newer than the agent's", () => {
    const file = write(join(user, ".agent/auth.json"), "old");
    const home = plan(own);
    home.create();
    replace(join(home.directory, ".agent/auth.json"), "replaced");
    const later = new Date(Date.now() + 60_000);
    writeFileSync(file, "newer");
    utimesSync(file, later, later);
    home.keepCredentials();
    expect(readFileSync(file, "utf8")).toBe("newer");
  });

  it("gets only the keys with credentials of a file that holds settings as well", () => {
    const content = '// written by hand\n{ "token": "t", "users": ["me"], "servers": { "mine": {} } }';
    const file = write(join(user, ".agent/auth.json"), content);
    const home = plan({
      ...own,
      credentials: [{ in: "AGENT_DIR", file: "auth.json", keys: ["token", "users"] }],
    });
    home.create();
    const copy = join(home.directory, ".agent/auth.json");
    expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual({ token: "t", users: ["me"] });
    expect(lstatSync(copy).mode & 0o777).toBe(0o600);
    replace(copy, "{}");
    home.keepCredentials();
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("gets the seed, whose files come before the user's", () => {
    write(join(user, ".agent/auth.json"), "mine");
    write(join(root, "seed/.agent/auth.json"), "seeded");
    write(join(root, "seed/.agent/settings.json"), "to test with");
    const home = plan(own, { seed: join(root, "seed") });
    home.create();
    expect(readFileSync(join(home.directory, ".agent/auth.json"), "utf8")).toBe("seeded");
    expect(readFileSync(join(home.directory, ".agent/settings.json"), "utf8")).toBe("to test with");
    home.keepCredentials();
    expect(readFileSync(join(user, ".agent/auth.json"), "utf8")).toBe("mine");
  });

  it("has what tools need, and caches of the program, if the home itself is moved", () => {
    for (const name of [".gitconfig", ".ssh/config", ".cache/agent/code", ".cache/other", "notes"])
      write(join(user, name), name);
    const home = plan(moved);
    home.create();
    const has = (name: string) => existsSync(join(home.directory, name));
    expect([".gitconfig", ".ssh/config", ".cache/agent/code", ".cache/other", "notes"].filter(has)).toEqual([
      ".gitconfig",
      ".ssh/config",
      ".cache/agent/code",
    ]);
  });

  it("is refused if the seed is not a directory", () => {
    const begin = () => plan(own, { seed: join(root, "missing") });
    expect(begin).toThrow(`home: there is no directory ${join(root, "missing")}`);
  });
});

describe("files above the workspace", () => {
  const isolation: Isolation = {
    ...own,
    inherited: ["RULES.md"],
    inheritedOutsideRepositories: [".agent/skills"],
  };
  const cwd = () => join(root, "work/repo/part");

  beforeEach(() => {
    mkdirSync(cwd(), { recursive: true });
  });

  it.each(["RULES.md", ".agent/skills/one.md"])("refuse the run: %s", (name) => {
    write(join(root, "work", name), "mine");
    expect(() => plan(isolation, { cwd: cwd() })).toThrow(/cannot be isolated here: it reads .*work/);
  });

  it("do not count inside the repository, because they are the project's", () => {
    mkdirSync(join(root, "work/repo/.git"));
    write(join(root, "work/repo/RULES.md"), "the project's");
    expect(plan(isolation, { cwd: cwd() }).directory).toBe(join(root, "run/home"));
  });

  it("count above a repository only if the agent looks there", () => {
    mkdirSync(join(root, "work/repo/.git"));
    write(join(root, "work/.agent/skills/one.md"), "mine");
    expect(plan(isolation, { cwd: cwd() }).directory).toBe(join(root, "run/home"));
    write(join(root, "work/RULES.md"), "mine");
    expect(() => plan(isolation, { cwd: cwd() })).toThrow(join(root, "work/RULES.md"));
  });
});
