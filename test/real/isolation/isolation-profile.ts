import type { Task } from "../../../src/runs/task.js";

/** What a user's home may hold. In the planted home, each is seen by its word: `marker-<kind>`. */
export const leaks = ["skill", "mcp", "instructions", "setting"] as const;
export type Leak = (typeof leaks)[number];

export function markerOf(leak: Leak | `inherited-${number}`): string {
  return `marker-${leak}`;
}

/** Where the planted home is, and the server that writes a file when it is started. */
export interface PlantedPlace {
  home: string;
  /** The command of the planted MCP server, and its arguments. Starting it creates the file `marker-mcp` in `seen`. */
  server: { command: string; args: readonly string[] };
  /** A file in here whose name is a marker is as good as the word in a request: for hooks. */
  seen: string;
}

/** How one agent is proved to be isolated. */
export interface IsolationProfile {
  agent: string;
  /** For an older version in the lock file (`<agent>@<version>`). */
  version?: string;
  /**
   * Files of the user's home with the four markers, by path below the home. A JSON file is merged into the one that leads to
   * the scripted model, any other is appended to it.
   */
  planted(place: PlantedPlace): Readonly<Record<string, string>>;
  /** Of the four, what the agent does not have or does not show, with the reason. */
  lacks?: Readonly<Partial<Record<Leak, string>>>;
  /** The user's credential files, by path below the home: what is in them, with the word `marker-credential`. */
  credentials: Readonly<Record<string, string>>;
  /** The fresh home gets no settings: the credentials lead to the scripted model. */
  isSeedless?: boolean;
  /** What the task of the isolated run needs besides. */
  task?: Partial<Task>;
  /** Variables of the user's environment, besides those that lead to the scripted model. */
  env?(place: PlantedPlace): Readonly<Record<string, string>>;
  /**
   * For those of `inherited` and `inheritedOutsideRepositories` that are not a Markdown file: a file in it, and its content, with
   * `{marker}` for the word and `{seen}` for the directory of the traces. A string is the reason why it cannot be seen.
   */
  inherited?: Readonly<Record<string, { file?: string; content: string } | string>>;
}
