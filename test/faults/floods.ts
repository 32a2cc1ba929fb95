import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generic } from "../../src/agents/generic/definition.js";
import { inDirectory, program } from "./agent.js";
import { checkRecording } from "./check-recording.js";
import { recordedRuns, sessionsIn, startCommand } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { countSurvivors } from "./survivors.js";

/** How a flood is stopped, and in which format it is printed. Each run is also recorded. */
const ways = [
  { format: "full", exitCode: 124, options: ["--timeout", "2"] },
  { format: "ndjson", exitCode: 143 },
  { format: "text", exitCode: 143 },
  { format: "raw", exitCode: 143 },
  { format: "full", exitCode: 143, isReadSlowly: true },
  { format: "json", exitCode: 124, options: ["--timeout", "2", "--redact"] },
] as const;

/** On a busy machine, one timer in ten may be later than this. */
const mostLateMs = 150;
const floodMs = 2000;

export const floods: readonly Fault[] = [
  {
    name: "a flood of ten-byte lines, stopped by SIGTERM or a time limit",
    times: ways.length,
    atOnce: 1,
    attempt: (index) => tryFlood(ways[index % ways.length] ?? ways[0]),
  },
];

function tryFlood(way: (typeof ways)[number]): Promise<Attempt> {
  return inDirectory(async (directory) => {
    const report = join(directory, "event-loop.json");
    const options = ["--binary", "yes", "--prompt", "123456789", "--format", way.format];
    const { child, ended } = startCommand({
      args: ["run", "--agent", "generic", ...options, ...("options" in way ? way.options : [])],
      directory,
      env: {
        NODE_OPTIONS: `--require ${program("watch-event-loop.cjs")}`,
        HARNESS_TEST_EVENT_LOOP: report,
      },
    });
    if ("isReadSlowly" in way) readSlowly(child.stdout);
    if (way.exitCode === 143) {
      await sleep(floodMs);
      child.kill("SIGTERM");
    }
    const { exitCode, lines } = await ended;
    const { lateMs } = JSON.parse(readFileSync(report, "utf8"));
    const [runId = ""] = recordedRuns(directory);
    const { state, records, problems } = await checkRecording(sessionsIn(directory), runId, generic);
    return {
      problems: [
        ...problems,
        ...(exitCode === way.exitCode ? [] : [`exit code ${exitCode}, not ${way.exitCode}`]),
        ...(lateMs < mostLateMs ? [] : [`a tenth of all timers were ${Math.round(lateMs)} ms late`]),
        ...(state === "ended" ? [] : [`the recording is ${state}`]),
        ...(records.length > 1000 ? [] : [`only ${records.length} lines were recorded`]),
        ...(lines.length > 0 ? [] : ["nothing was printed"]),
      ],
      eventsLost: 0,
      processesLeft: countSurvivors({ token: runId, runId }),
    };
  });
}

function readSlowly(stream: NodeJS.ReadableStream | null): void {
  stream?.on("data", () => {
    stream.pause();
    setTimeout(() => stream.resume(), 5);
  });
}
