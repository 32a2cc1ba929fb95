import { dirname } from "node:path";
import { cleanLine, cutEndOf } from "../text/cut.js";
import { findProjectConfig } from "./locate-config.js";
import type { TrustState } from "./trust-store.js";

/** An untrusted project file that sets more than it may. */
export interface UntrustedFile {
  path: string;
  state: Exclude<TrustState, { kind: "trusted" }>;
  /** The keys that are not in effect. */
  withheld: readonly string[];
  /** The custom agents that it defines. */
  ownAgents: readonly string[];
}

const shownKeys = 8;

/** One sentence: what is not in effect, and the command to type in `cwd` that changes that. */
export function describeUntrusted(untrusted: UntrustedFile, cwd?: string | undefined): string {
  const { withheld } = untrusted;
  const shown = withheld.slice(0, shownKeys).map((key) => plain(key, 80));
  const rest = withheld.length - shown.length;
  const keys = `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return `${describeState(untrusted)}, so these settings are not in effect: ${keys}; to read and trust it: ${commandToTrust(untrusted.path, cwd)}`;
}

/** `/p/harness.toml is not trusted`. */
export function describeState({ path, state }: Pick<UntrustedFile, "path" | "state">): string {
  const name = plain(path, 400);
  if (state.kind === "new") return `${name} is not trusted`;
  const [file] = state.changedFiles;
  if (file === undefined) return `${name} has changed since it was trusted`;
  return `${name} is not trusted any more: ${plain(file, 400)}, which it names, has changed`;
}

/** The command that trusts a file, to be typed in `cwd`, or anywhere if that is not given. */
export function commandToTrust(path: string, cwd?: string | undefined): string {
  if (cwd !== undefined && findProjectConfig(cwd) === path) return "harness trust";
  const folder = plain(dirname(path), 400);
  return `harness trust ${/^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`;
}

function plain(text: string, length: number): string {
  const line = cleanLine(text);
  return cutEndOf(line, length);
}
