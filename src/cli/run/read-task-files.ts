import { readSmallFile } from "../../config/read-small-file.js";
import { HarnessError, problemOf } from "../../errors.js";
import type { Task } from "../../runs/task.js";
import { checkMcpServers } from "../../runs/task-schema.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseOwnJson } from "../../text/parse-json.js";
import type { RunFlags } from "./command.js";

/** The options of a task that are files: `--mcp-config` and `--schema`. */
export function readTaskFiles(
  flags: Pick<RunFlags, "mcpConfig" | "schema">,
): Pick<Task, "mcpServers" | "schema"> {
  const { mcpConfig, schema } = flags;
  return {
    mcpServers: mcpConfig === undefined ? undefined : readServers(mcpConfig),
    schema: schema === undefined ? undefined : readObject("--schema", schema),
  };
}

/** `{ "mcpServers": { … } }`, as most agents write it, or the servers alone. */
function readServers(file: string): Task["mcpServers"] {
  const given = readObject("--mcp-config", file);
  const isWrapped = Object.keys(given).length === 1 && isObject(given["mcpServers"]);
  const servers = isWrapped ? given["mcpServers"] : given;
  const plain = isObject(servers)
    ? Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, withoutType(server)]))
    : servers;
  return checkMcpServers(plain, `--mcp-config ${file}: `);
}

const impliedTypes: readonly unknown[] = ["stdio", "http", "streamable-http", "streamableHttp"];

/** Some agents write the kind of a server down, although `command` and `url` say it. Other kinds are refused as unknown keys. */
function withoutType(server: unknown): unknown {
  if (!isObject(server) || !impliedTypes.includes(server["type"])) return server;
  const { type, ...rest } = server;
  return rest;
}

function readObject(option: string, file: string): JsonObject {
  const value = parseOwnJson(readText(option, file));
  if (isObject(value)) return value;
  throw new HarnessError("invalid_option", `${option} ${file}: it must hold one JSON object`);
}

function readText(option: string, file: string): string {
  const refuse = (problem: string, cause?: unknown) =>
    new HarnessError("unreadable_file", `${option} ${file} cannot be read: ${problem}`, { cause });
  try {
    const bytes = readSmallFile(file);
    if (bytes !== undefined) return bytes.toString("utf8");
  } catch (error) {
    throw refuse(problemOf(error), error);
  }
  throw refuse("there is no such file");
}
