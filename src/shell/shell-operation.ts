/** What one part of a shell command line did, as a file operation; paths exactly as written in the command. */
export type ShellOperation = ReadOperation | SearchOperation | ListOperation;

/** Lines are set only if the command asked for a range. An absent end means "to the end of the file". */
export interface ReadOperation extends Matching {
  type: "read";
  path: string;
  startLine?: number;
  endLine?: number;
}

/** Several patterns or names in one command are alternatives, joined with `|`. */
export interface SearchOperation extends Matching {
  type: "search";
  query: string;
  /** Set if exactly one was given. */
  path?: string;
}

export interface ListOperation extends Matching {
  type: "list";
  path?: string;
}

/** When the exit code of a script says whether one of its operations succeeded. */
export type ExitDecision = "always" | "ifSucceeded" | "ifFailed" | "never";

interface Matching {
  /** Left out: the exit code of the script always says whether this operation succeeded. */
  exitDecides?: Exclude<ExitDecision, "always">;
  /**
   * The operation is a `grep` or `rg`. They exit 1 if nothing matched, so exit code 1 is not a failure of this operation.
   */
  exitsOneOnNoMatch?: true;
}
