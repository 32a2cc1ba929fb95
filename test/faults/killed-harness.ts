import { once } from "node:events";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { generic } from "../../src/agents/generic/definition.js";
import { type Behaviour, createToken, type Helpers, inDirectory, type Manner } from "./agent.js";
import { checkRecording, numbersSaid } from "./check-recording.js";
import { recordedRuns, type StartedCommand, sessionsIn, startCommand } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { genericRun } from "./generic-run.js";
import type { Random } from "./random.js";
import { waitForSurvivors } from "./survivors.js";

const times = Number(process.env["HARNESS_FAULT_KILLS"] ?? 200);

const helpers = ["none", "session", "daemon", "deaf"] as const satisfies readonly Helpers[];
const manners = ["stay", "deaf", "exit", "linger", "half", "stopped"] as const satisfies readonly Manner[];
/** A hidden process is found through others. An agent that exits before the first scan makes that impossible. */
const hidingHelpers = ["hidden", "holder"] as const satisfies readonly Helpers[];
const hidingManners = ["stay", "deaf", "half", "stopped"] as const satisfies readonly Manner[];

/**
 * Kills the command with SIGKILL: half of the times after a random time, possibly before the agent has started, and half of
 * the times after a number of printed lines.
 */
export const killedHarness: readonly Fault[] = [
  {
    name: "harness is killed with SIGKILL at a random moment",
    times,
    atOnce: 6 * availableParallelism(),
    attempt: (index, random) => killOnce(random, index % 2 === 0 ? "by time" : "by lines"),
  },
];

function killOnce(random: Random, moment: "by time" | "by lines"): Promise<Attempt> {
  const isHiding = random.below(3) === 0;
  const behaviour: Behaviour = {
    helpers: random.pick(isHiding ? hidingHelpers : helpers),
    manner: random.pick(isHiding ? hidingManners : manners),
    lines: 1 + random.below(3000),
  };
  const afterLines = random.below(behaviour.lines);
  const afterMs = random.below(1200);
  const token = createToken();
  return inDirectory(async (directory) => {
    let isLine: () => void = () => {};
    const hasLines = new Promise<void>((resolve) => {
      isLine = resolve;
    });
    const command = startCommand({
      args: genericRun(behaviour, token, ["--format", "raw"]),
      directory,
      onLine: (_line, count) => void (count > afterLines && isLine()),
    });
    const exited = once(command.child, "exit");
    await (moment === "by time" ? sleep(afterMs) : Promise.race([hasLines, exited]));
    command.child.kill("SIGKILL");
    const attempt = await examine(command, directory, token);
    if (attempt.processesLeft === 0) return attempt;
    const when = moment === "by time" ? `after ${afterMs} ms` : `after ${afterLines} lines`;
    return { ...attempt, problems: [...attempt.problems, `left by ${JSON.stringify(behaviour)} ${when}`] };
  });
}

async function examine({ ended }: StartedCommand, directory: string, token: string): Promise<Attempt> {
  const { lines, signal } = await ended;
  const [runId] = recordedRuns(directory);
  const { left, afterMs } = await waitForSurvivors({ token, runId });
  const attempt: Attempt = { problems: [], eventsLost: 0, processesLeft: left, reapedMs: afterMs };
  if (runId === undefined) return { ...attempt, eventsLost: lines.length };
  const { state, records, problems } = await checkRecording(sessionsIn(directory), runId, generic);
  const recorded = numbersSaid(records);
  const isPrefix = recorded.every((number, index) => number === index);
  // It may have ended by itself before the kill.
  const isRightState = signal === "SIGKILL" ? state !== "running" : state === "ended";
  const printed = lines.filter((line) => /^\{"type":"say","text":"\d+"\}$/.test(line)).length;
  return {
    ...attempt,
    problems: [
      ...problems,
      ...(isPrefix ? [] : ["the recording is not a prefix of the printed output"]),
      ...(isRightState ? [] : [`the recording shows as ${state}`]),
    ],
    eventsLost: Math.max(0, printed - recorded.length),
  };
}
