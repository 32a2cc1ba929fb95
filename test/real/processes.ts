import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The processes of a run that are alive: those with its mark, and those that work in its folder. */
export function survivorsOf(runId: string, folder: string): string[] {
  return pids().flatMap((pid) => {
    if (!isAlive(pid)) return [];
    const isMarked = read(`/proc/${pid}/environ`).split("\0").includes(`HARNESS_RUN_ID=${runId}`);
    const isInFolder = `${link(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
    return isMarked || isInFolder ? [`${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`] : [];
  });
}

/** The agent's own process: the marked child of `harness`. */
export function agentPidOf(harnessPid: number, runId: string): number | undefined {
  return pids().find((pid) => {
    const parent = /\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1];
    return (
      parent === String(harnessPid) &&
      read(`/proc/${pid}/environ`).split("\0").includes(`HARNESS_RUN_ID=${runId}`)
    );
  });
}

function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && !/\) [ZX] /.test(stat);
}

function pids(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
