import { spawnSync } from "node:child_process";
import { measureIn } from "../measure.mjs";
import { rounds } from "../settings.mjs";

/** A batch over a queue, without agents: what Redis, BullMQ and the batch cost. The best of several rounds. */
export async function queue({ isShort }) {
  if (spawnSync("redis-server", ["--version"]).status !== 0) {
    console.error("queue: left out, because there is no redis-server (scripts/install-tools.sh)");
    return [];
  }
  const cells = isShort ? "1000" : "10000";
  const all = Array.from({ length: rounds }, () => measureIn("queue.mjs", [cells], ["--expose-gc"]));
  const most = (name) => Math.max(...all.map((one) => one[name]));
  const least = (name) => Math.min(...all.map((one) => one[name]));
  const megabytes = (name) => (least(name) * 10_000) / 1024 ** 2;
  return [
    { figure: "queue: cells through Redis and back", value: most("cellsPerSecond"), unit: "/s" },
    { figure: "queue: 10,000 cells that wait, in Redis", value: megabytes("bytesPerCell"), unit: "MiB" },
    { figure: "queue: 10,000 cells, in the batch", value: megabytes("batchBytesPerCell"), unit: "MiB" },
    {
      figure: "queue: one event in the stream of a run",
      value: least("bytesPerEvent"),
      baseline: least("bytesPerLine"),
      ratio: least("bytesPerEvent") / least("bytesPerLine"),
      unit: "bytes",
    },
  ];
}
