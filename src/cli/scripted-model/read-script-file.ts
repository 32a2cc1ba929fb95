import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parseJsonDocument } from "../../config/json-document.js";
import { DocumentSyntaxError, type ParsedDocument, parseToml } from "../../config/toml-document.js";
import { HarnessError, problemOf } from "../../errors.js";
import { readScript, type ScriptFile, ScriptProblem } from "../../testing/script-file.js";

/** Reads a script: JSON, or TOML if the file's name ends so. Errors name the line. */
export function readScriptFile(path: string): ScriptFile {
  const document = parse(path, readText(path));
  try {
    return readScript(document.values);
  } catch (error) {
    if (!(error instanceof ScriptProblem)) throw error;
    throw invalid(`${path}:${document.lineOf(error.path)}: ${error.message}`, error);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new HarnessError("unreadable_file", `cannot read ${path}: ${problemOf(error)}`, { cause: error });
  }
}

function parse(path: string, text: string): ParsedDocument {
  const isToml = extname(path).toLowerCase() === ".toml";
  try {
    return isToml ? parseToml(text) : parseJsonDocument(text);
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    const language = isToml ? "TOML" : "JSON";
    throw invalid(`${path}:${error.line}:${error.column}: not valid ${language}: ${error.message}`, error);
  }
}

function invalid(message: string, cause: unknown): HarnessError {
  return new HarnessError("invalid_script", message, { cause });
}
