import type { Isolation } from "../../isolation.js";

/**
 * The isolation of OpenCode (1.18.33), which Kilo (7.7.9) kept. Its own variable moves `~`, in which it also looks for `.claude` and
 * `.agents`. The cache stays the user's. `/etc/opencode` and `/etc/kilo` belong to the machine.
 */
export function isolateOpencode({
  name,
  prefix,
  inherited,
}: {
  /** The name of its directories. */
  name: string;
  /** The beginning of its variables. */
  prefix: string;
  /** Files that it reads in directories above its working directory, unless that is in a repository. */
  inherited: readonly string[];
}): Isolation {
  return {
    variables: {
      [`${prefix}_TEST_HOME`]: "",
      XDG_CONFIG_HOME: ".config",
      XDG_DATA_HOME: ".local/share",
      XDG_STATE_HOME: ".local/state",
    },
    removed: ["CONFIG", "CONFIG_DIR", "CONFIG_CONTENT", "PERMISSION", "DB"].map((one) => `${prefix}_${one}`),
    credentials: [{ in: "XDG_DATA_HOME", file: `${name}/auth.json` }],
    inheritedOutsideRepositories: inherited,
  };
}

/** What it loads from a folder such as `.opencode`. The folder alone says nothing: the program itself may be in it. */
export function inOwnFolder(folder: string, configs: readonly string[]): string[] {
  return [...configs, ...kinds, ...kinds.map((kind) => `${kind}s`)].map((entry) => `${folder}/${entry}`);
}

const kinds = ["agent", "command", "mode", "plugin", "skill", "tool"];
