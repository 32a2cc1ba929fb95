import { readFileSync } from "node:fs";

/** Set for every agent that `harness mcp` starts: how deep it is nested. */
export const depthVariable = "HARNESS_MCP_DEPTH";

/** No process has more ancestors than this. */
const mostAncestors = 100;

/**
 * How deep this server is nested in runs that other servers have started. Some agents start their servers without their own
 * variables. On Linux the variables of the agent itself are asked then: those that its ancestors were started with.
 */
export function nestingDepth(env: NodeJS.ProcessEnv = process.env): number {
  const own = toDepth(env[depthVariable]);
  if (own > 0 || process.platform !== "linux") return own;
  let pid = process.ppid;
  for (let count = 0; pid > 1 && count < mostAncestors; count += 1) {
    const depth = toDepth(variableOf(pid));
    if (depth > 0) return depth;
    pid = parentOf(pid);
  }
  return 0;
}

function toDepth(text: string | undefined): number {
  const depth = Number(text ?? "0");
  // A value that is not a number was set by somebody who wants no nesting, or to get around it.
  return Number.isSafeInteger(depth) && depth >= 0 ? depth : Number.MAX_SAFE_INTEGER;
}

function variableOf(pid: number): string | undefined {
  const prefix = `${depthVariable}=`;
  const found = readOrNothing(`/proc/${pid}/environ`)
    .split("\0")
    .find((each) => each.startsWith(prefix));
  return found?.slice(prefix.length);
}

function parentOf(pid: number): number {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The name in brackets may contain anything.
  return Number(stat.slice(stat.lastIndexOf(")") + 1).split(" ")[2] ?? 0) || 0;
}

/** Processes of other users cannot be read. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
