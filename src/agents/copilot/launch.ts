import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";
import type { LiveTask } from "../live-contract.js";
import { joinedOption } from "../shared/launch-arguments.js";
import { mcpFileOf, mcpFiles } from "../shared/mcp-servers.js";

/** Arguments that choose the session. A run with one of these does not get an id from harness. */
const choosesSession = /^(?:--(?:session-id|resume|continue|connect)(?:=|$)|-r)/;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * `copilot --prompt=…`. After `=` a prompt may begin with `-`. A long prompt goes to standard input, which Copilot reads
 * only if there is no `--prompt`. An empty prompt stays an argument, because Copilot then explains its refusal.
 *
 * Only the last record of the stream names the session, and a run that is stopped does not print it. So the id of a new
 * session is chosen here.
 */
export function launchCopilot(task: LaunchTask): Launch {
  const { model, resume, prompt, extraArgs } = task;
  const isChosen = resume === undefined && !extraArgs.some((argument) => choosesSession.test(argument));
  const sessionId = isChosen ? crypto.randomUUID() : resume;
  const args = [
    "--output-format",
    "json",
    ...(model === undefined ? [] : ["--model", model]),
    ...(task.permissions === "read-only" ? copilotReadOnly : ["--allow-all"]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(isChosen ? [`--session-id=${sessionId}`] : []),
    ...copilotOptions(task),
    ...extraArgs,
  ];
  // A session can also be resumed by its name or by the beginning of its id.
  const known = {
    ...copilotFiles(task),
    ...(sessionId !== undefined && uuid.test(sessionId) && { sessionId }),
    ...(task.permissions === "read-only" && { env: { COPILOT_ALLOW_ALL: "false" } }),
  };
  if (isTooLongForArgument(prompt)) return { args, stdin: prompt, ...known };
  return { args: [...args, `--prompt=${prompt}`], ...known };
}

/**
 * Plan mode still runs commands that write files (1.0.102), so the tools that run commands and write files are denied.
 * A denial overrides any permission. Other tools that need a permission, such as those of MCP servers, are denied because
 * nobody can be asked, unless `COPILOT_ALLOW_ALL` allows them. Reading is allowed everywhere.
 */
export const copilotReadOnly = ["--deny-tool=shell", "--deny-tool=write", "--allow-all-paths"];

/** Options that one-shot runs and sessions have in common. */
export function copilotOptions(
  task: Pick<LiveTask, "effort" | "allowedTools" | "mcpServers" | "directory">,
): string[] {
  const servers = mcpFileOf(task);
  return [
    ...joinedOption("--reasoning-effort", task.effort),
    ...joinedOption("--available-tools", task.allowedTools?.join(",")),
    ...joinedOption("--additional-mcp-config", servers && `@${servers}`),
  ];
}

export function copilotFiles(task: Pick<LiveTask, "mcpServers">): Pick<Launch, "files"> {
  return mcpFiles(task, {
    program: { type: "local", tools: ["*"] },
    address: { type: "http", tools: ["*"] },
  });
}
