import type { HarnessEvent } from "../../src/events/event.js";
import { run } from "../../src/live/run.js";
import type { Run, RunResult, Task } from "../../src/runs/task.js";
import { testAgent } from "../runs/test-agent.js";
import { type Behaviour, createToken, inDirectory, program, toArguments } from "./agent.js";
import { checkRecording, numbersSaid } from "./check-recording.js";
import type { Attempt } from "./fault.js";
import { countSurvivors } from "./survivors.js";

export interface Observed {
  events: HarnessEvent[];
  result: RunResult;
}

export interface Observation {
  behaviour: Behaviour;
  task?: Partial<Task>;
  /** Called for every event, to act in the middle of the run. `said` is the number of lines so far. */
  onEvent?(run: Run, said: number): void | Promise<void>;
  /** What is wrong with the run. */
  problemsOf(observed: Observed): string[];
}

/** Runs the misbehaving agent in this process, and checks everything after the run. */
export function observeRun({ behaviour, task, onEvent, problemsOf }: Observation): Promise<Attempt> {
  return inDirectory(async (sessionsDirectory) => {
    const token = createToken();
    const started = run({
      agent: testAgent,
      prompt: "do it",
      binary: program("agent"),
      extraArgs: toArguments(behaviour, token),
      sessionsDirectory,
      ...task,
    });
    const events: HarnessEvent[] = [];
    let said = 0;
    for await (const event of started) {
      events.push(event);
      if (event.type === "agent") said += 1;
      await onEvent?.(started, said);
    }
    const result = await started.result;
    const left = countSurvivors({ token, runId: started.runId });
    const recording = await checkRecording(sessionsDirectory, started.runId, testAgent);
    const recorded = numbersSaid(recording.records);
    const isInOrder = recorded.every((number, index) => number === index);
    return {
      problems: [
        ...problemsOfStream(events),
        ...problemsOf({ events, result }),
        ...recording.problems,
        ...(recording.state === "ended" ? [] : [`the recording is ${recording.state}`]),
        ...(isInOrder ? [] : ["lines were recorded out of order"]),
      ],
      eventsLost: recorded.length - said + unsaid(behaviour, result, said),
      processesLeft: left,
    };
  });
}

/** An agent that ended by itself has printed all its lines. */
function unsaid({ lines }: Behaviour, { reason }: RunResult, said: number): number {
  return reason === "completed" || reason === "failed" ? lines - said : 0;
}

/** The rules that hold for every stream. */
export function problemsOfStream(events: readonly HarnessEvent[]): string[] {
  const count = (type: HarnessEvent["type"]): number => events.filter((event) => event.type === type).length;
  return [
    ...(events.at(0)?.type === "started" ? [] : ["it did not begin with `started`"]),
    ...(count("result") === 1 ? [] : [`${count("result")} results`]),
    ...(count("exited") === 1 && events.at(-1)?.type === "exited"
      ? []
      : ["it did not end with one `exited`"]),
    ...(events.every((event, index) => event.seq === index) ? [] : ["the sequence numbers have gaps"]),
  ];
}
