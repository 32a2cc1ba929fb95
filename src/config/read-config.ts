import { createHash } from "node:crypto";
import * as v from "valibot";
import { HarnessError, problemOf, systemCode } from "../errors.js";
import { suggestFrom } from "../text/suggest.js";
import { describeIssue } from "./describe-issue.js";
import { readSmallFile } from "./read-small-file.js";
import { ConfigFile, knownKeys } from "./schema.js";
import { DocumentSyntaxError, type ParsedDocument, parseToml } from "./toml-document.js";

/** A valid configuration file. */
export interface LoadedConfig {
  path: string;
  values: ConfigFile;
  /** The SHA-256 of the text that the values were read from. */
  digest: string;
  lineOf(path: readonly string[]): number;
}

/** Reads and checks a file. Undefined if it does not exist. Errors name the line. */
export function readConfig(path: string): LoadedConfig | undefined {
  const text = readText(path);
  return text === undefined ? undefined : checkConfig(path, text);
}

/** Checks one file on its own. Names of agents are checked later, since another file may define them. */
export function checkConfig(path: string, text: string): LoadedConfig {
  const document = parse(path, text);
  const parsed = v.safeParse(ConfigFile, document.values);
  if (!parsed.success) throw toError(path, document, parsed.issues[0]);
  const digest = createHash("sha256").update(text).digest("hex");
  return { path, values: parsed.output, digest, lineOf: document.lineOf };
}

function readText(path: string): string | undefined {
  try {
    const bytes = readSmallFile(path);
    return bytes === undefined ? undefined : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const isEncoding = systemCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const problem = isEncoding ? "it is not valid UTF-8; convert it to UTF-8" : problemOf(error);
    throw new HarnessError("unreadable_config", `cannot read ${path}: ${problem}`, { cause: error });
  }
}

function parse(path: string, text: string): ParsedDocument {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    const message = `${path}:${error.line}:${error.column}: not valid TOML: ${error.message}`;
    throw new HarnessError("invalid_config", message, { cause: error });
  }
}

function isNested(key: string | undefined): key is "agents" | "permissions" {
  return key === "agents" || key === "permissions";
}

function toError(path: string, document: ParsedDocument, issue: v.BaseIssue<unknown>): HarnessError {
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const place = `${path}:${document.lineOf(keys)}`;
  const key = keys.at(-1) ?? "";
  if (issue.type === "strict_object" && issue.expected === "never") {
    const known = keys.length > 1 && isNested(keys[0]) ? knownKeys[keys[0]] : knownKeys.root;
    const message = `${place}: unknown key "${key}"${suggestFrom(key, known, "known here")}`;
    return new HarnessError("invalid_config", message);
  }
  const message = `${place}: "${keys.join(".")}" ${describeIssue(issue)}`;
  return new HarnessError("invalid_config", message);
}
