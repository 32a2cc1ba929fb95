import type { AgentDefinition } from "../../agents/definition.js";
import { agents as builtIn } from "../../agents/registry.js";
import { startWorker, type WorkerUnderWay } from "../../batch/queue/worker.js";
import { ownAgentNames, resolveAgent } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { messageOf } from "../../errors.js";
import { loadModels } from "../../models/load-models.js";
import { formatNumberOf } from "../../text/numbers.js";
import { createArmResolver } from "../arm-resolver.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { readVersion } from "../package-files.js";
import type { WorkerFlags } from "./command.js";

/** Serves a queue until a signal asks it to stop. */
export async function workerAction(flags: WorkerFlags): Promise<number> {
  const config = readConfiguration({ trust: flags.trust });
  const agents = await agentsToServe(namesIn(flags.agents), config);
  const resolveArm = await createArmResolver({
    config,
    models: loadModels(config),
    agents: agents.map(({ id }) => id),
    isLoading: true,
    onWarning: complain,
  });
  const worker = await startWorker({
    url: flags.queue,
    version: readVersion(),
    concurrency: flags.concurrency,
    agents,
    resolveArm,
    shelf: flags.shelf,
    workDirectory: flags.workDirectory,
    name: flags.name,
    onNotice: complain,
  });
  const served = Object.entries(worker.agents).map(([agent, version]) =>
    [agent, version].filter(Boolean).join(" "),
  );
  const takes = served.join(", ") || "nothing: no agent is installed here";
  const output = createOutput(process.stdout);
  // Before the row that says how to stop it: whoever reads it may do so at once.
  const stopped = stopOnSignal(worker, flags.drain);
  await output.print(
    `worker ${worker.name}: ${formatNumberOf(flags.concurrency, "run")} at once, takes cells of ${takes}\nStop with Ctrl-C or SIGTERM.\n`,
  );
  const isDrained = await stopped;
  if (!isDrained)
    complain("the queue does not answer; its server gives the cells of this worker to others later");
  // BullMQ's timers, which wait for a server that is away, would keep this process alive.
  process.exit(isDrained ? exitCodes.success : exitCodes.runFailed);
}

/** The server has this long to take cells back, besides the time that runs have to end. */
const returnMs = 20_000;
/** After a second signal. */
const shortReturnMs = 5000;

/** Resolves when a signal has stopped the worker. False: it could not be stopped in good order. */
function stopOnSignal(worker: WorkerUnderWay, drainMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const watch = cancelOnSignals(() => {
      if (watch.count === 1) complain(draining(worker.running));
      const patience = watch.count === 1 ? drainMs + returnMs : shortReturnMs;
      setTimeout(() => resolve(false), patience).unref();
      void worker.stop({ drainMs }).then((isInOrder) => {
        watch.stop();
        resolve(isInOrder);
      });
    });
  });
}

function draining(running: number): string {
  return running === 0
    ? "stopping: no run is under way"
    : `stopping: ${formatNumberOf(running, "run")} under way may end first; a second signal gives them back to the queue at once`;
}

function namesIn(given: readonly string[] | undefined): string[] | undefined {
  return given?.flatMap((text) => text.split(",")).map((name) => name.trim());
}

/** The agents that were named, which must exist, or all of them. An invalid agent of the user's own does not stop the others. */
async function agentsToServe(
  names: readonly string[] | undefined,
  config: Config,
): Promise<AgentDefinition[]> {
  if (names !== undefined) return Promise.all(names.map((name) => resolveAgent(name, config)));
  const own = await Promise.all(
    ownAgentNames(config).map((name) =>
      resolveAgent(name, config).catch((error: unknown) => {
        complain(messageOf(error));
        return undefined;
      }),
    ),
  );
  return [...builtIn, ...own.filter((agent) => agent !== undefined)];
}
