import { type Config, loadConfig } from "../config/load-config.js";
import { describeUntrusted } from "../config/untrusted-file.js";
import { trustVariable } from "../process/environment.js";
import { complain } from "./complain.js";

export interface ConfigurationFlags {
  cwd?: string | undefined;
  /** `--trust`. */
  trust?: boolean | undefined;
}

/** Reads the configuration. Settings of a file that is not trusted have no effect; standard error says which. */
export function readConfiguration({ cwd = process.cwd(), trust }: ConfigurationFlags = {}): Config {
  const config = loadConfig({ cwd, trust: trust === true || isTrustedByVariable() });
  if (config.untrusted !== undefined) complain(describeUntrusted(config.untrusted, process.cwd()));
  return config;
}

/** `HARNESS_TRUST=1`, for machines such as CI where nobody can be asked. */
export function isTrustedByVariable(): boolean {
  return process.env[trustVariable] === "1";
}
