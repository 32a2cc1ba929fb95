import { type Config, loadConfig } from "../config/load-config.js";
import { describeUntrusted } from "../config/untrusted-file.js";
import { trustVariable } from "../process/environment.js";
import { complain } from "./complain.js";

export interface ConfigurationFlags {
  cwd?: string | undefined;
  /** `--trust`. */
  trust?: boolean | undefined;
}

/** The configuration that is in force. What is not, since its file is not trusted, is said on standard error. */
export function readConfiguration({ cwd = process.cwd(), trust }: ConfigurationFlags = {}): Config {
  const config = loadConfig({ cwd, trust: trust === true || isTrustedByVariable() });
  if (config.untrusted !== undefined) complain(describeUntrusted(config.untrusted, process.cwd()));
  return config;
}

/** `HARNESS_TRUST=1`, for machines on which nobody can be asked. */
export function isTrustedByVariable(): boolean {
  return process.env[trustVariable] === "1";
}
