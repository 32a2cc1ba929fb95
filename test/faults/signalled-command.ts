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

/** What is done to the command, and how it has to end. */
const signals = [
  { send: ["SIGINT"], exitCode: 130 },
  { send: ["SIGTERM"], exitCode: 143 },
  { send: ["SIGHUP"], exitCode: 129 },
  { send: ["SIGINT", "SIGINT"], exitCode: 130 },
  { send: ["SIGTERM", "SIGINT"], exitCode: 143 },
] as const satisfies readonly { send: readonly NodeJS.Signals[]; exitCode: number }[];

export const signalledCommand: readonly Fault[] = [
  {
    name: "harness gets SIGINT, SIGTERM or SIGHUP, once or twice",
    times: 20,
    attempt: (index, random) => signalOnce(signals[index % signals.length] ?? signals[0], random),
  },
  {
    name: "whoever reads the output of harness closes it",
    times: 10,
    attempt: (_index, random) => closeOnce(random),
  },
];

function signalOnce(
  { send, exitCode }: { send: readonly NodeJS.Signals[]; exitCode: number },
  random: Random,
): Promise<Attempt> {
  const behaviour = { helpers: random.pick(helpers), manner: random.pick(manners), lines: 200 };
  const afterLines = random.below(behaviour.lines);
  return observeCommand(behaviour, afterLines, {
    act: (child) => {
      for (const signal of send) child.kill(signal);
    },
    problemsOf: (ended) => [
      ...(ended.exitCode === exitCode ? [] : [`exit code ${ended.exitCode} and not ${exitCode}`]),
      ...(lastTypes(ended.lines) === "result exited" ? [] : ["the printed stream is not whole"]),
    ],
  });
}

function closeOnce(random: Random): Promise<Attempt> {
  const behaviour: Behaviour = { helpers: random.pick(helpers), manner: "ticks", lines: 200 };
  return observeCommand(behaviour, random.below(200), {
    act: (child) => child.stdout?.destroy(),
    problemsOf: ({ exitCode, stderr }) => [
      ...(exitCode === 0 ? [] : [`exit code ${exitCode} and not 0`]),
      ...(stderr === "" ? [] : [`it said: ${stderr}`]),
    ],
  });
}

type Started = ReturnType<typeof startCommand>;
type Ended = Awaited<Started["ended"]>;

function observeCommand(
  behaviour: Behaviour,
  afterLines: number,
  { act, problemsOf }: { act(child: Started["child"]): void; problemsOf(ended: Ended): string[] },
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
