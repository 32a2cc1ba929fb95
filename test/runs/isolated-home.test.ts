import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CredentialFile, Isolation } from "../../src/agents/isolation.js";
import { type IsolatedHome, planHome } from "../../src/runs/isolated-home.js";
import { finish, temporaryDirectory, testAgent } from "./test-agent.js";

const own = { variables: { AGENT_HOME: ".agent" }, credentials: [{ in: "AGENT_HOME", file: "auth.json" }] };

/** A user with these files in the home, and the fresh home of an agent for that user. */
function settle({
  isolation = own,
  files = {},
  env = {},
  seed,
}: {
  isolation?: Isolation;
  files?: Record<string, string>;
  env?: Record<string, string>;
  seed?: Record<string, string>;
}) {
  const root = temporaryDirectory();
  const user = join(root, "user");
  const directory = join(root, "run");
  const workspace = join(root, "workspace");
  for (const folder of [user, directory, workspace]) mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) write(join(user, name), content);
  for (const [name, content] of Object.entries(seed ?? {})) write(join(root, "seed", name), content);
  const place = { directory, cwd: workspace, seed: seed && join(root, "seed") };
  const home = planHome({ ...testAgent, isolation }, place, { HOME: user, ...env });
  return {
    root,
    user,
    home,
    plan: (more: Partial<typeof place>) =>
      planHome({ ...testAgent, isolation }, { ...place, ...more }, { HOME: user }),
  };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  // Older than anything that a run writes.
  utimesSync(path, 1_700_000_000, 1_700_000_000);
}

function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

describe("the environment of an isolated agent", () => {
  it("leads to the fresh home, and is otherwise the user's", () => {
    const isolation = {
      ...own,
      variables: { AGENT_HOME: ".agent", HOME: "" },
      switches: { AGENT_MEMORY: "off" },
      removed: ["AGENT_CONFIG"],
    };
    const env = { AGENT_HOME: "/elsewhere", AGENT_CONFIG: "/mine", AGENT_MEMORY: "on", PATH: "/bin" };
    const { home } = settle({ isolation, env });
    expect(home.inherited).toEqual({
      AGENT_HOME: join(home.directory, ".agent"),
      HOME: join(home.directory, ""),
      AGENT_MEMORY: "off",
      PATH: "/bin",
    });
  });

  it("reaches the agent, and nothing is left of the home", async () => {
    const agent = { ...testAgent, isolation: own };
    const { events } = await finish("show-environment", {
      agent,
      isolated: true,
      runId: "isolated-env",
      extraArgs: ["AGENT_HOME"],
    });
    const shown = JSON.stringify(events);
    expect(shown).toMatch(/AGENT_HOME=[^"]*harness-isolated-env\/home\/\.agent/);
    const [, directory = ""] = /AGENT_HOME=([^"\\]*harness-isolated-env)/.exec(shown) ?? [];
    expect(existsSync(directory)).toBe(false);
  });
});

describe("the fresh home", () => {
  it("has the user's credentials and nothing else", () => {
    const { home, user } = settle({ files: { ".agent/auth.json": "token", ".agent/settings.json": "{}" } });
    home.create();
    expect(statSync(home.directory).mode & 0o777).toBe(0o700);
    expect(readlinkSync(join(home.directory, ".agent/auth.json"))).toBe(join(user, ".agent/auth.json"));
    expect(existsSync(join(home.directory, ".agent/settings.json"))).toBe(false);
  });

  it("takes them from where the user's variable leads", () => {
    const { home, root } = settle({
      files: { "../elsewhere/auth.json": "other", ".agent/auth.json": "token" },
      env: { AGENT_HOME: "" },
    });
    home.create();
    expect(readFileSync(join(home.directory, ".agent/auth.json"), "utf8")).toBe("token");
    const moved = settle({
      files: { ".agent/auth.json": "token" },
      env: { AGENT_HOME: join(root, "elsewhere") },
    });
    moved.home.create();
    expect(readFileSync(join(moved.home.directory, ".agent/auth.json"), "utf8")).toBe("other");
  });

  it("is made without credentials if the user has none", () => {
    const { home } = settle({});
    home.create();
    expect(existsSync(join(home.directory, ".agent"))).toBe(true);
    expect(existsSync(join(home.directory, ".agent/auth.json"))).toBe(false);
    home.keepCredentials();
  });

  it("has what the seed has, whose files take the place of the user's", () => {
    const { home, user } = settle({
      files: { ".agent/auth.json": "token" },
      seed: { ".agent/auth.json": "of the seed", ".agent/settings.json": "{}" },
    });
    home.create();
    expect(readFileSync(join(home.directory, ".agent/settings.json"), "utf8")).toBe("{}");
    replace(join(home.directory, ".agent/auth.json"), "changed");
    home.keepCredentials();
    expect(readFileSync(join(user, ".agent/auth.json"), "utf8")).toBe("token");
  });

  it("has links of the seed as they are, and does not follow them", () => {
    const { root, plan } = settle({ seed: { "a.txt": "a" } });
    symlinkSync("/etc/hostname", join(root, "seed", "link"));
    const home = plan({});
    home.create();
    expect(readlinkSync(join(home.directory, "link"))).toBe("/etc/hostname");
  });

  it.each([
    ["to a file of the user", ".agent/memory.md", (user: string) => join(user, "memory.md")],
    ["to the user's home by another way", "way", (user: string) => join(dirname(user), "seed/../user")],
    ["out of the seed, relatively", "out", () => "../user/memory.md"],
    ["to the seed itself", "here", (user: string) => join(dirname(user), "seed/a.txt")],
  ])("is refused if the seed has a link %s", (_, name, targetIn) => {
    const { root, user, plan } = settle({
      files: { "memory.md": "mine" },
      seed: { "a.txt": "a", ".agent/b": "" },
    });
    symlinkSync(targetIn(user), join(root, "seed", name));
    const home = plan({});
    expect(() => home.create()).toThrow(`home: ${name} is a link to`);
  });

  it("takes links within the seed, and links to files of the machine", () => {
    const { root, plan } = settle({ seed: { "a.txt": "a", "deep/b.txt": "b" } });
    symlinkSync("../a.txt", join(root, "seed/deep/up"));
    symlinkSync("nowhere", join(root, "seed/broken"));
    const home = plan({});
    home.create();
    expect(readFileSync(join(home.directory, "deep/up"), "utf8")).toBe("a");
  });

  it("writes nothing behind a link of the seed", () => {
    const isolation = { variables: { HOME: "" }, credentials: [{ in: "HOME", file: ".tool/auth.json" }] };
    const { root, plan } = settle({
      isolation,
      files: { ".tool/auth.json": "token", ".config/git/ignore": "x" },
      seed: { a: "" },
    });
    const outside = temporaryDirectory();
    for (const name of [".tool", ".config"]) symlinkSync(outside, join(root, "seed", name));
    plan({}).create();
    expect(readdirSync(outside)).toEqual([]);
  });

  it("is refused if there is no such seed", () => {
    const { root, plan } = settle({});
    expect(() => plan({ seed: join(root, "nowhere") })).toThrow(/home: there is no directory/);
  });

  it("has what tools need, of the directories that are moved", () => {
    const files = {
      ".gitconfig": "[user]",
      ".ssh/config": "Host",
      ".config/git/ignore": "x",
      ".config/gh/hosts.yml": "y",
      ".bashrc": "z",
    };
    const untouched = settle({ files });
    untouched.home.create();
    expect(existsSync(join(untouched.home.directory, ".gitconfig"))).toBe(false);

    const isolation = { variables: { HOME: "" }, credentials: [], caches: [".cache/agent"] };
    const { home } = settle({ isolation, files: { ...files, ".cache/agent/x": "" } });
    home.create();
    for (const file of [
      ".gitconfig",
      ".ssh/config",
      ".config/git/ignore",
      ".config/gh/hosts.yml",
      ".cache/agent/x",
    ])
      expect(existsSync(join(home.directory, file)), file).toBe(true);
    expect(existsSync(join(home.directory, ".bashrc"))).toBe(false);

    const config = settle({
      isolation: { variables: { XDG_CONFIG_HOME: ".config" }, credentials: [] },
      files,
    });
    config.home.create();
    expect(existsSync(join(config.home.directory, ".config/gh/hosts.yml"))).toBe(true);
    expect(existsSync(join(config.home.directory, ".gitconfig"))).toBe(false);
  });
});

describe("a credential that the agent renews", () => {
  const settled = (isolation?: Isolation, content = "old") => {
    const made = settle({ ...(isolation && { isolation }), files: { ".agent/auth.json": content } });
    made.home.create();
    return {
      ...made,
      inside: join(made.home.directory, ".agent/auth.json"),
      outside: join(made.user, ".agent/auth.json"),
    };
  };
  const kept = ({ home, outside }: { home: IsolatedHome; outside: string }) => {
    home.keepCredentials();
    return readFileSync(outside, "utf8");
  };

  it("reaches the user's file through the link", () => {
    const made = settled();
    writeFileSync(made.inside, "new");
    expect(kept(made)).toBe("new");
  });

  it("reaches it if the file was replaced, readable by the user only", () => {
    const made = settled();
    replace(made.inside, "new");
    expect(kept(made)).toBe("new");
    expect(statSync(made.outside).mode & 0o777).toBe(0o600);
  });

  it("reaches the file that the user's own link leads to", () => {
    const made = settle({ files: { ".agent/real.json": "old" } });
    symlinkSync("real.json", join(made.user, ".agent/auth.json"));
    made.home.create();
    replace(join(made.home.directory, ".agent/auth.json"), "new");
    made.home.keepCredentials();
    expect(lstatSync(join(made.user, ".agent/auth.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(made.user, ".agent/real.json"), "utf8")).toBe("new");
  });

  it("is the last renewal of several runs, in whatever order they end", () => {
    const made = settle({ files: { ".agent/auth.json": "old" } });
    const homes = ["first", "second"].map((name) => {
      mkdirSync(join(made.root, name));
      const home = made.plan({ directory: join(made.root, name) });
      home.create();
      return home;
    });
    for (const [index, home] of homes.entries()) {
      const file = join(home.directory, ".agent/auth.json");
      replace(file, `renewal ${index + 1}`);
      utimesSync(file, 1_750_000_000 + index, 1_750_000_000 + index);
    }
    for (const home of homes) home.keepCredentials();
    expect(readFileSync(join(made.user, ".agent/auth.json"), "utf8")).toBe("renewal 2");
    for (const home of homes.reverse()) home.keepCredentials();
    expect(readFileSync(join(made.user, ".agent/auth.json"), "utf8")).toBe("renewal 2");
  });

  it.each([[""], ["\n"], ['{"token":"ne']])("stays as it was if a killed run left %j", (half) => {
    const made = settled(undefined, '{"token":"old"}');
    replace(made.inside, half);
    expect(kept(made)).toBe('{"token":"old"}');
  });

  it("does not replace one that is newer", () => {
    const made = settled();
    replace(made.inside, "old token of a slow run");
    utimesSync(made.inside, 1_600_000_000, 1_600_000_000);
    expect(kept(made)).toBe("old");
  });

  it.each([
    ["removes it", (file: string) => rmSync(file)],
    ["replaces it by a directory", (file: string) => [rmSync(file), mkdirSync(file)]],
    ["replaces it by a link", (file: string) => [rmSync(file), symlinkSync("/etc/hostname", file)]],
  ])("stays as it was if the agent %s", (_, act) => {
    const made = settled();
    act(made.inside);
    expect(kept(made)).toBe("old");
  });

  it("is no reason to fail if the user's file is gone", () => {
    const made = settled();
    replace(made.inside, "new");
    rmSync(made.outside);
    made.home.keepCredentials();
    expect(existsSync(made.outside)).toBe(false);
  });

  const withFile = (file: Partial<CredentialFile>): Isolation => ({
    ...own,
    credentials: [{ in: "AGENT_HOME", file: "auth.json", ...file }],
  });

  it("may be some keys of a file, which are copied", () => {
    const made = settled(withFile({ keys: ["token"] }), '// mine\n{"token":"t","theme":"dark"}');
    expect(JSON.parse(readFileSync(made.inside, "utf8"))).toEqual({ token: "t" });
    expect(statSync(made.inside).mode & 0o777).toBe(0o600);
    writeFileSync(made.inside, "{}");
    expect(kept(made)).toContain('"theme":"dark"');
  });

  it("may be an excerpt of a file, and comes back by its own rule", () => {
    const excerpt = {
      take: (text: string) => (text.startsWith("token=") ? text.split("\n")[0] : undefined),
      renew: (text: string, used: string) =>
        used.startsWith("token=") ? [used, ...text.split("\n").slice(1)].join("\n") : undefined,
    };
    const made = settled(withFile({ excerpt }), "token=old\ntheme=dark");
    expect(readFileSync(made.inside, "utf8")).toBe("token=old");
    expect(kept(made)).toBe("token=old\ntheme=dark");
    replace(made.inside, "token=new");
    expect(kept(made)).toBe("token=new\ntheme=dark");
    replace(made.inside, "damaged");
    expect(kept(made)).toBe("token=new\ntheme=dark");
    expect(existsSync(settled(withFile({ excerpt }), "theme=dark").inside)).toBe(false);
  });
});

describe("files above the workspace", () => {
  const isolation: Isolation = {
    ...own,
    inherited: ["AGENT.md"],
    inheritedOutsideRepositories: [".agent/skills"],
  };
  const planIn = (files: Record<string, string>, cwd: string, isRepository?: string) => {
    const { root, plan } = settle({ isolation });
    mkdirSync(join(root, cwd), { recursive: true });
    for (const [name, content] of Object.entries(files)) write(join(root, name), content);
    if (isRepository !== undefined) write(join(root, isRepository, ".git"), "gitdir: elsewhere");
    return () => plan({ cwd: join(root, cwd) });
  };

  it("that it reads are refused by name, however far above", () => {
    const plan = planIn({ "a/AGENT.md": "" }, "a/b/c/workspace");
    expect(plan).toThrow(expect.objectContaining({ code: "unsupported_option" }));
    expect(plan).toThrow(
      /Test Agent cannot be isolated here: it reads \S+\/a\/AGENT\.md, because .* or move the file$/,
    );
  });

  it("are the repository's own up to its top", () => {
    expect(planIn({ "a/AGENT.md": "" }, "a/b", "a")).not.toThrow();
    expect(planIn({ "AGENT.md": "" }, "a/b", "a")).toThrow(/AGENT\.md/);
  });

  it("that it reads outside of repositories only are refused there only", () => {
    expect(planIn({ ".agent/skills/x": "" }, "a/b", "a")).not.toThrow();
    expect(planIn({ ".agent/skills/x": "" }, "a/b")).toThrow(
      /work in a Git repository or in another directory/,
    );
  });

  it("do not matter in the workspace itself", () => {
    expect(planIn({ "a/AGENT.md": "", "a/.agent/skills/x": "" }, "a")).not.toThrow();
  });
});
