import { Option } from "commander";

/** `--trust`, of every command for which it matters whether a project's file is trusted. */
export function trustOption(): Option {
  return new Option("--trust", "trust the project's harness.toml this time (see: harness help security)");
}
