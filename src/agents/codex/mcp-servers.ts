import { HarnessError } from "../../errors.js";
import type { McpServer } from "../definition.js";
import { toTomlString } from "./toml.js";

export interface McpSettings {
  settings: string[];
  env: Record<string, string>;
}

/**
 * MCP servers as settings of Codex, which can only be arguments. Headers and variables may hold secrets, so they are passed in
 * the environment of Codex, and the settings name them.
 */
export function mcpSettingsOf(servers: Readonly<Record<string, McpServer>> = {}): McpSettings {
  const env: Record<string, string> = {};
  const settings = Object.entries(servers).map(([name, server]) => {
    refuseName(name);
    const fields = "url" in server ? addressFields(server, env) : programFields(name, server, env);
    return `mcp_servers.${name}={ ${fields.join(", ")} }`;
  });
  return { settings, env };
}

type Program = Extract<McpServer, { command: string }>;
type Address = Extract<McpServer, { url: string }>;

/** Variables that Codex itself reads. In its environment they would change Codex, so they are arguments, which others can see. */
const ownVariable =
  /^(?:PATH|HOME|PWD|SHELL|USER|LANG|LC_\w+|TERM|TMPDIR|\w+_proxy|XDG_\w+|CODEX_\w+|RUST_\w+)$/i;

const secretName = /KEY|TOKEN|SECRET|PASSWORD|AUTH/i;
/** A password in an address, such as that of a proxy. */
const userInfo = /\/\/[^/\s]*@/;

function visible(name: string, variable: string): HarnessError {
  return new HarnessError(
    "invalid_option",
    `mcpServers: Codex cannot give ${variable} to the server "${name}" without showing its value to other users of the machine; use another name for it, or let the server read it from a file`,
  );
}

function programFields(
  name: string,
  { command, args = [], env = {} }: Program,
  passed: Record<string, string>,
) {
  const own = Object.entries(env).filter(([variable]) => ownVariable.test(variable));
  const secret = own.find(([variable, value]) => secretName.test(variable) || userInfo.test(value));
  if (secret !== undefined) throw visible(name, secret[0]);
  const others = Object.entries(env).filter(([variable]) => !ownVariable.test(variable));
  for (const [variable, value] of others) pass(passed, { variable, value, name });
  return [
    `command = ${toTomlString(command)}`,
    `args = ${toTomlList(args)}`,
    ...(own.length === 0 ? [] : [`env = ${toTomlTable(own)}`]),
    ...(others.length === 0 ? [] : [`env_vars = ${toTomlList(others.map(([variable]) => variable))}`]),
  ];
}

function addressFields({ url, headers = {} }: Address, passed: Record<string, string>) {
  const named = Object.entries(headers).map(([header, value]): [string, string] => {
    const variable = `MCP_HEADER_${Object.keys(passed).length + 1}`;
    passed[variable] = value;
    return [header, variable];
  });
  return [
    `url = ${toTomlString(url)}`,
    ...(named.length === 0 ? [] : [`env_http_headers = ${toTomlTable(named)}`]),
  ];
}

/** Codex passes a variable on by its name, so two servers cannot get different values. */
function pass(
  passed: Record<string, string>,
  { variable, value, name }: { variable: string; value: string; name: string },
): void {
  if (passed[variable] !== undefined && passed[variable] !== value)
    throw new HarnessError(
      "invalid_option",
      `mcpServers: Codex cannot give ${variable} of the server "${name}" another value than that of another server; use another name for one of them`,
    );
  passed[variable] = value;
}

function refuseName(name: string): void {
  if (/^[\w-]+$/.test(name)) return;
  throw new HarnessError(
    "invalid_option",
    `mcpServers: Codex does not take "${name}" as the name of a server; use letters, digits, - and _`,
  );
}

function toTomlList(texts: readonly string[]): string {
  return `[${texts.map(toTomlString).join(", ")}]`;
}

function toTomlTable(entries: readonly (readonly [string, string])[]): string {
  return `{ ${entries.map(([key, value]) => `${toTomlString(key)} = ${toTomlString(value)}`).join(", ")} }`;
}
