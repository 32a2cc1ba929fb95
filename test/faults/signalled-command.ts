import { setTimeout as sleep } from "node:timers/promises";
import { generic } from "../../src/agents/generic/definition.js";
import { type Behaviour, createToken, type Helpers, inDirectory, type Manner } from "./agent.js";
import { checkRecording, numbersSaid } from "./check-recording.js";
import { recordedRuns, sessionsIn, startCommand } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { genericRun, lastTypes, numbersPrinted } from "./generic-run.js";
import type { Random } from "./random.js";
import { countSurvivors } from "./survivors.js";

const helpers = ["none", "session", "daemon", "deaf"] as const satisfies readonly Helpers[];
const manners = ["stay", "deaf", "half", "ticks"] as const satisfies readonly Manner[];

const signals = [
  { signal: "SIGINT", exitCode: 130 },
  { signal: "SIGTERM", exitCode: 143 },
  { signal: "SIGHUP", exitCode: 129 },
] as const;

/** Long before an agent that ignores the first signal would be killed. */
const secondAfterMs = 300;

export const signalledCommand: readonly Fault[] = [
  {
    name: "harness gets SIGINT, SIGTERM or SIGHUP",
    times: 12,
    attempt(index, random) {
      const { signal, exitCode } = signals[index % signals.length] ?? signals[0];
      return signalOnce(random.pick(manners), random, exitCode, (child) => child.kill(signal));
    },
  },
  {
    name: "harness gets SIGINT twice",
    times: 4,
    attempt: (_index, random) =>
      signalOnce("deaf", random, 130, async (child) => {
        child.kill("SIGINT");
        await sleep(secondAfterMs);
        child.kill("SIGINT");
      }),
  },
  {
    name: "the reader of harness's output closes the pipe",
    times: 6,
    attempt: (_index, random) => closeOnce(random),
  },
];

function signalOnce(
  manner: Manner,
  random: Random,
  exitCode: number,
  act: (child: Started["child"]) => unknown,
): Promise<Attempt> {
  const behaviour: Behaviour = { helpers: random.pick(helpers), manner, lines: 200 };
  return observeCommand(behaviour, random.below(behaviour.lines), {
    act,
    problemsOf: (ended) => [
      ...(ended.exitCode === exitCode ? [] : [`exit code ${ended.exitCode}, not ${exitCode}`]),
      ...(lastTypes(ended.lines) === "result exited" ? [] : ["the printed stream is not whole"]),
    ],
  });
}

function closeOnce(random: Random): Promise<Attempt> {
  const behaviour: Behaviour = { helpers: random.pick(helpers), manner: "ticks", lines: 200 };
  return observeCommand(behaviour, random.below(200), {
    act: (child) => child.stdout?.destroy(),
    problemsOf: ({ exitCode, stderr }) => [
      ...(exitCode === 141 ? [] : [`exit code ${exitCode}, not 141`]),
      ...(stderr === "" ? [] : [`it said: ${stderr}`]),
    ],
  });
}

type Started = ReturnType<typeof startCommand>;
type Ended = Awaited<Started["ended"]>;

function observeCommand(
  behaviour: Behaviour,
  afterLines: number,
  { act, problemsOf }: { act(child: Started["child"]): unknown; problemsOf(ended: Ended): string[] },
): Promise<Attempt> {
  const token = createToken();
  return inDirectory(async (directory) => {
    const command = startCommand({
      args: genericRun(behaviour, token, ["--format", "full"]),
      directory,
      onLine: (_line, count) => void (count === afterLines + 1 && act(command.child)),
    });
    const ended = await command.ended;
    const [runId = ""] = recordedRuns(directory);
    const processesLeft = countSurvivors({ token, runId });
    const { state, records, problems } = await checkRecording(sessionsIn(directory), runId, generic);
    const recorded = numbersSaid(records);
    return {
      problems: [
        ...problems,
        ...problemsOf(ended),
        ...(state === "ended" ? [] : [`the recording is ${state}`]),
        ...(recorded.every((number, index) => number === index) ? [] : ["lines were recorded out of order"]),
      ],
      eventsLost: Math.max(0, numbersPrinted(ended.lines).length - recorded.length),
      processesLeft,
    };
  });
}
