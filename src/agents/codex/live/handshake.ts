import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { PermissionMode } from "../../definition.js";
import type { LiveTask, PeerHost } from "../../live-contract.js";
import type { Calls } from "./calls.js";

/**
 * What a thread may do. `untrusted` asks for every command and every patch, whatever the sandbox. Codex 0.166.0 takes it here, and
 * refuses it in its configuration. With a sandbox, a command that was allowed would first run inside of it, and once more outside
 * if it fails there.
 */
const policies: Readonly<Record<PermissionMode, JsonObject>> = {
  "full-access": { approvalPolicy: "never", sandbox: "danger-full-access" },
  "read-only": { approvalPolicy: "never", sandbox: "read-only" },
  ask: { approvalPolicy: "untrusted", sandbox: "danger-full-access" },
};

/** Notifications that repeat what others say. The first holds the whole diff of the turn, after every request. */
const unwanted = ["turn/diff/updated", "thread/status/changed", "thread/readState/changed"];

/** Opens the session's thread. Afterwards the host is ready, or the session has failed. */
export function shakeHands(
  { call }: Calls,
  { host, task, onThread }: { host: PeerHost; task: LiveTask; onThread(threadId: string): void },
): void {
  const clientInfo = { name: "harness", title: "harness", version: "1" };
  const capabilities = {
    experimentalApi: true,
    requestAttestation: false,
    optOutNotificationMethods: unwanted,
  };
  call("initialize", { clientInfo, capabilities }, (_result, error) => {
    if (error !== undefined) return host.fail(error.message);
    host.send(JSON.stringify({ method: "initialized" }));
    call("getAuthStatus", { includeToken: false, refreshToken: false }, (status) => {
      if (isSignedOut(status)) return host.fail(signedOut);
      if (task.permissions === "ask") listServers([]);
      else openThread({});
    });
  });

  /** Each server must be named to make it ask for every tool. */
  function listServers(known: readonly string[], cursor?: string): void {
    const params = { detail: "toolsAndAuthOnly", ...(cursor !== undefined && { cursor }) };
    call("mcpServerStatus/list", params, (result, error) => {
      if (error !== undefined) return host.fail(`Codex does not name its MCP servers: ${error.message}`);
      const names = [...known, ...namesIn(result)];
      const next = asText(asObject(result)?.["nextCursor"]);
      if (next !== undefined && next !== cursor) return listServers(names, next);
      openThread({ config: askingServers(names) });
    });
  }

  function openThread(more: JsonObject): void {
    const [method, params] = threadOf(task);
    call(method, { ...params, ...more }, (result, error) => {
      const threadId = asText(asObject(asObject(result)?.["thread"])?.["id"]);
      if (threadId === undefined) return host.fail(error?.message ?? "Codex did not name the thread");
      onThread(threadId);
      host.ready();
    });
  }
}

/** A new thread, or one that is resumed without its history. */
function threadOf(task: LiveTask): [method: string, params: JsonObject] {
  const params = {
    cwd: task.cwd,
    ...policies[task.permissions],
    ...(task.model !== undefined && { model: task.model }),
    ...(task.appendSystemPrompt !== undefined && { developerInstructions: task.appendSystemPrompt }),
  };
  if (task.resume === undefined) return ["thread/start", params];
  return ["thread/resume", { threadId: task.resume, excludeTurns: true, ...params }];
}

/** The servers of the user's configuration. That of the connected apps is not in it. */
function namesIn(result: JsonValue | undefined): string[] {
  const names = (asArray(asObject(result)?.["data"]) ?? []).flatMap(
    (one) => asText(asObject(one)?.["name"]) ?? [],
  );
  return names.filter((name) => name !== "codex_apps");
}

/** By default Codex uses tools that declare themselves read-only without asking. */
function askingServers(names: readonly string[]): JsonObject {
  const places = ["apps._default", ...names.map((name) => `mcp_servers.${name}`)];
  return Object.fromEntries(places.map((place) => [`${place}.default_tools_approval_mode`, "prompt"]));
}

/** `exec` takes a key from the environment, `app-server` does not (0.166.0): its prompts would all be refused. */
const signedOut =
  "Codex is not signed in: app-server does not read CODEX_API_KEY, so run `codex login` first";

/** Providers of the user's own need no sign-in. */
function isSignedOut(status: JsonValue | undefined): boolean {
  const { requiresOpenaiAuth, authMethod } = asObject(status) ?? {};
  return requiresOpenaiAuth === true && authMethod === null;
}
