import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../runs/test-agent.js";
import { buildLibrary } from "./support/build-library.js";

/** Mounts disappear with their namespace. In a user namespace, every user is root. */
const isolate = ["unshare", ...(process.geteuid?.() === 0 ? ["-m"] : ["-r", "-m"])] as const;
const canMount =
  process.platform === "linux" &&
  spawnSync(isolate[0], [...isolate.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** Fills the disk while the batch runs, makes room, and goes on. */
const script = `
  import { rmSync, statfsSync, writeFileSync } from "node:fs";
  const [library, disk] = process.argv.slice(1);
  const { defineAgent, readBatch, resumeBatch, runBatch } = await import(library);
  const agent = defineAgent({
    id: "shell", binaries: ["sh"],
    launch: (task) => ({ args: ["-c", task.prompt] }),
    createMapping: () => ({ record(_record, out) { out.run.terminal = "success"; out.consume("done"); } }),
  });
  const options = {
    batchesDirectory: disk + "/batches", sessionsDirectory: process.cwd() + "/sessions",
    workDirectory: process.cwd() + "/work", resolveArm: () => ({ agent }),
  };
  const plan = {
    name: "full", isolated: false, concurrency: 2, repeats: 40, arms: [{ agent: "shell" }],
    tasks: [{ id: "task", prompt: "echo '{\\"type\\":\\"done\\"}'" }],
  };
  const batch = await runBatch(plan, options);
  let reported = 0;
  for await (const line of batch) {
    if (line.type !== "done" || ++reported !== 5) continue;
    const { bavail, bsize } = statfsSync(disk);
    for (let size = bavail * bsize; size >= 1; size = Math.floor(size / 2))
      try { writeFileSync(disk + "/filling", Buffer.alloc(size), { flag: "a" }); } catch {}
  }
  const counted = [...(await batch.result).cells.values()].filter(({ status }) => status === "done").length;
  const onDisk = [...readBatch(batch.directory).state.cells.values()].filter(({ status }) => status === "done").length;
  rmSync(disk + "/filling");
  const again = await resumeBatch(batch.directory, options);
  const verdicts = [...(await again.result).cells.values()].map(({ result }) => result?.verdict);
  console.log(JSON.stringify({ problem: batch.problem, reported, counted, onDisk, ended: again.state.ended?.reason, verdicts }));
`;

it.runIf(canMount)(
  "a full disk stops a batch with a sentence, nothing counts that is not on it, and with more room it goes on",
  async () => {
    const directory = temporaryDirectory();
    const disk = join(directory, "disk");
    mkdirSync(disk);
    mkdirSync(join(directory, "work"));
    const library = await buildLibrary();
    try {
      const mountAndRun = 'mount -t tmpfs -o size=64k tmpfs "$1" && shift && exec "$@"';
      const node = [process.execPath, "--input-type=module", "-e", script, "--", library.path, disk];
      const child = spawn(isolate[0], [...isolate.slice(1), "sh", "-c", mountAndRun, "sh", disk, ...node], {
        cwd: directory,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const said = JSON.parse(await text(child.stdout));
      expect(said.problem).toContain("the disk is full; make room, and resume the batch");
      expect(said.counted).toBeGreaterThanOrEqual(5);
      expect(said.counted).toBeLessThan(40);
      expect(said.reported).toBe(said.counted);
      // A line that is on disk counts only after the sync. It may be there when the disk is found to be full.
      expect(said.onDisk).toBeGreaterThanOrEqual(said.counted);
      expect(said.ended).toBe("completed");
      expect(said.verdicts).toEqual(Array(40).fill("passed"));
    } finally {
      library.remove();
    }
  },
);
