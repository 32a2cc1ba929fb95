import { readFileSync } from "node:fs";
import * as v from "valibot";
import { findAgent, agents as knownAgents } from "../agents/registry.js";
import { HarnessError, messageOf, systemCode } from "../errors.js";
import { didYouMean } from "../suggest.js";
import { ConfigFile, knownKeys } from "./schema.js";
import { parseToml, type TomlDocument, TomlSyntaxError } from "./toml-document.js";

/** One configuration file, checked. */
export interface LoadedConfig {
  path: string;
  values: ConfigFile;
  lineOf(path: readonly string[]): number;
}

/** Reads and checks a file. Undefined when it does not exist; anything wrong with it is an error with its line. */
export function readConfig(path: string): LoadedConfig | undefined {
  const text = readText(path);
  return text === undefined ? undefined : checkConfig(path, text);
}

export function checkConfig(path: string, text: string): LoadedConfig {
  const document = parse(path, text);
  const parsed = v.safeParse(ConfigFile, document.values);
  if (!parsed.success) throw toError(path, document, parsed.issues[0]);
  const config = { path, values: parsed.output, lineOf: document.lineOf };
  checkAgents(config);
  return config;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new HarnessError("unreadable_config", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function parse(path: string, text: string): TomlDocument {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const message = `${path}:${error.line}: not valid TOML: ${error.message}`;
    throw new HarnessError("invalid_config", message, { cause: error });
  }
}

function toError(path: string, document: TomlDocument, issue: v.BaseIssue<unknown>): HarnessError {
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const place = `${path}:${document.lineOf(keys)}`;
  const key = keys.at(-1) ?? "";
  if (issue.type === "strict_object" && issue.expected === "never") {
    const known = keys[0] === "agents" ? knownKeys.agents : knownKeys.root;
    const message = `${place}: unknown key "${key}"${didYouMean(key, known)}; known here: ${known.join(", ")}`;
    return new HarnessError("invalid_config", message);
  }
  const message = `${place}: "${keys.join(".")}" ${describe(issue)}`;
  return new HarnessError("invalid_config", message);
}

function describe(issue: v.BaseIssue<unknown>): string {
  if (issue.message.startsWith("must ")) return issue.message;
  return `must be ${issue.expected ?? "something else"}, not ${issue.received}`;
}

/** Names of agents must be known, or be those of agents that the file itself defines. */
function checkAgents(config: LoadedConfig): void {
  const { values } = config;
  const own = new Set(
    Object.entries(values.agents ?? {})
      .filter(([, settings]) => settings.module !== undefined || settings.translator !== undefined)
      .map(([name]) => name),
  );
  const names = [...knownAgents.map(({ id }) => id), ...own];
  const refuse = (name: string, path: readonly string[]): void => {
    if (own.has(name) || findAgent(name) !== undefined) return;
    const place = `${config.path}:${config.lineOf(path)}`;
    throw new HarnessError(
      "invalid_config",
      `${place}: unknown agent "${name}"${didYouMean(name, names)}; known agents: ${names.join(", ")}`,
    );
  };
  for (const name of Object.keys(values.agents ?? {})) refuse(name, ["agents", name]);
  for (const [name, settings] of Object.entries(values.agents ?? {})) {
    if (settings.translator !== undefined) refuse(settings.translator, ["agents", name, "translator"]);
  }
  for (const [model, ids] of Object.entries(values.models ?? {})) {
    for (const key of Object.keys(ids))
      if (key !== "description" && key !== "provider") refuse(key, ["models", model, key]);
  }
}
