import { spawnSync } from "node:child_process";

/**
 * A command that runs another one with only the loopback network, or the reason why that is not possible here:
 * `{ command, args }` or `{ problem }`.
 */
export function loopbackOnly() {
  if (process.platform !== "linux")
    return { problem: `there are no network namespaces on ${process.platform}` };
  const own = process.getuid() === 0 ? [] : ["--map-root-user"];
  const args = [...own, "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  const probe = spawnSync("unshare", [...args, "true"], { encoding: "utf8" });
  if (probe.status === 0) return { command: "unshare", args };
  return { problem: (probe.error?.message ?? probe.stderr.trim()) || `unshare ended with ${probe.status}` };
}
