import type { Launch } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { piOptions } from "../launch.js";
import { mcpExtension } from "../mcp-extension.js";
import { extensionSource } from "./permission-extension.js";

/** Pi loads an extension by the path of its file. */
const extensionFile = "harness-permissions.mjs";

/** `pi --mode rpc`. Prompts are lines on standard input, so none of them is ever an argument. */
export function launchPiRpc(task: LiveTask): Launch {
  const servers = mcpExtension(task);
  const args = ["--mode", "rpc", ...piOptions(task), ...servers.args];
  if (task.permissions !== "ask") return { ...servers, args: [...args, ...task.extraArgs] };
  return {
    args: [...args, "--extension", `${task.directory}/${extensionFile}`, ...task.extraArgs],
    files: { ...servers.files, [extensionFile]: extensionSource },
  };
}
