/** A worker as a process. Its argument is JSON: the options of `startWorker`, and the names of its agents. It prints what happens, line by line. */
import { startWorker, type WorkerOptions } from "../../../src/batch/queue/worker.js";
import { fakeAgent, resolveFake } from "./fake-agent.js";

interface Options extends Omit<WorkerOptions, "resolveArm" | "onNotice" | "agents"> {
  agentNames?: string[];
  drainMs?: number;
}

async function main(): Promise<void> {
  const { agentNames = ["fake"], drainMs, ...options }: Options = JSON.parse(process.argv[2] ?? "{}");
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const worker = await startWorker({
    ...options,
    agents: agentNames.map((id) => ({ ...fakeAgent, id })),
    resolveArm: resolveFake,
    onNotice: (sentence) => say(`notice ${sentence}`),
    onCell: ({ kind, cellId }) => say(`${kind} ${cellId}`),
  });
  say("ready");
  const stop = () => {
    worker.stop({ drainMs }).then(() => {
      say("stopped");
      process.exit(0);
    });
  };
  process.on("SIGTERM", stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
