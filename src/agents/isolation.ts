/**
 * How an agent gets a fresh home, in which nothing of the user's settings, skills, servers and memory is, and yet the
 * user's credentials are. Paths are relative to the fresh home.
 */
export interface Isolation {
  /**
   * Variables that move what the agent reads, each with its directory in the fresh home: `{ CLAUDE_CONFIG_DIR: ".claude" }`. An
   * empty path is the home itself (`{ HOME: "" }`). Without the variable, the user's own directory is the same path in
   * the user's home.
   */
  variables: Readonly<Record<string, string>>;
  /** Variables with fixed values, for what no directory moves. */
  switches?: Readonly<Record<string, string>>;
  /** Variables of the user that would bring settings in from elsewhere. They are not passed on. */
  removed?: readonly string[];
  /** Files with credentials. They are linked in if they exist, so that a renewed token reaches the user's own file. */
  credentials: readonly CredentialFile[];
  /**
   * Files that it reads in every directory above its working directory, up to the root of the file system. One of them above the
   * workspace would leak into the run, so the run is refused.
   */
  inherited?: readonly string[];
  /** The same for files that it reads above its working directory only if that is not in a repository. */
  inheritedOutsideRepositories?: readonly string[];
  /** Caches of the program in the user's home that hold nothing of the user's. They are linked in, if the home itself is moved. */
  caches?: readonly string[];
}

/** A file with credentials that an isolated home needs. */
export interface CredentialFile {
  /** A key of `variables`. */
  in: string;
  /** The file, below the directory of that variable. */
  file: string;
  /**
   * For a JSON file that holds settings as well: the keys with the credentials. They are copied into a file that holds nothing else. What the
   * agent writes there is lost.
   */
  keys?: readonly string[];
  /** For a file that holds settings as well, if keys cannot say which. Left out: the whole file is linked in. */
  excerpt?: Excerpt;
}

/** What the fresh home gets of a file instead of a link. Both are pure functions of texts, which may be anything. */
export interface Excerpt {
  /** The credentials alone, in the same form. Undefined: there are none. */
  take(own: string): string | undefined;
  /** The user's own file with the credentials that the agent has renewed in the fresh home. Undefined: it has renewed none. */
  renew?(own: string, used: string): string | undefined;
}
