import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { generic } from "../../src/agents/generic/definition.js";
import { createToken, inDirectory, program } from "./agent.js";
import { checkRecording, numbersSaid } from "./check-recording.js";
import { commandPath, environmentOf, recordedRuns, sessionsIn } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { genericRun, lastTypes, numbersPrinted } from "./generic-run.js";
import { countSurvivors } from "./survivors.js";

const lines = 3000;

/** Mounts disappear with their namespace. In a user namespace, every user is root. */
const isolate = ["unshare", ...(process.geteuid?.() === 0 ? ["-m"] : ["-r", "-m"])] as const;
const canMount =
  spawnSync(isolate[0], [...isolate.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
const skipped = canMount ? undefined : "it needs permission to mount a disk";

interface DiskRun {
  status: number | null;
  lines: string[];
  stderr: string;
  directory: string;
  token: string;
}

interface DiskOptions {
  /** The mount options of the disk at the data directory. */
  disk: string;
  /** The options of the command, given the path of the disk. */
  options?(disk: string): string[];
  /** The file for standard output, given the path of the disk. Default: we read it. */
  stdout?(disk: string): string;
}

/** Runs the command with its data directory on a separate disk. Afterwards `data` is a copy of that disk. */
function runOnDisk({ disk, options, stdout }: DiskOptions, examine: (run: DiskRun) => Promise<Attempt>) {
  return inDirectory(async (directory) => {
    const token = createToken();
    const mounted = join(directory, "disk");
    mkdirSync(mounted);
    const behaviour = { helpers: "session", manner: "exit", lines } as const;
    const args = genericRun(behaviour, token, ["--format", "full", ...(options?.(mounted) ?? [])]);
    const child = spawn(
      isolate[0],
      [
        ...isolate.slice(1),
        program("on-disk"),
        mounted,
        disk,
        join(directory, "data"),
        stdout?.(mounted) ?? "-",
        process.execPath,
        commandPath(),
        ...args,
      ],
      {
        cwd: directory,
        env: { ...process.env, ...environmentOf(directory), XDG_DATA_HOME: mounted },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [printed, stderr, status] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      new Promise<number | null>((resolve) => child.once("exit", resolve)),
    ]);
    return examine({ status, lines: printed.split("\n").slice(0, -1), stderr, directory, token });
  });
}

/** The stream must be complete, and the exit code and standard error must report the problem. */
function problemsOf({ status, lines: printed, stderr }: DiskRun, words: RegExp): string[] {
  return [
    ...(status === 74 ? [] : [`exit code ${status}, not 74`]),
    ...(lastTypes(printed) === "result exited" ? [] : ["the printed stream is not whole"]),
    ...(words.test(stderr) ? [] : [`it said only: ${stderr}`]),
  ];
}

const lost = ({ lines: printed }: DiskRun): number => lines - numbersPrinted(printed).length;

const everyDisk: readonly Fault[] = [
  {
    name: "the disk of the recording fills up",
    times: 8,
    attempt: (_index, random) =>
      runOnDisk({ disk: `size=${16 + 4 * random.below(60)}k` }, async (run) => ({
        problems: [
          ...problemsOf(run, /cannot be recorded .*ENOSPC/),
          ...(await problemsOfRecording(run.directory)),
        ],
        eventsLost: lost(run),
        processesLeft: countSurvivors(run),
      })),
  },
  {
    name: "the folder of the recording is read-only",
    times: 2,
    attempt: () =>
      runOnDisk({ disk: "size=64k,ro" }, async (run) => ({
        problems: problemsOf(run, /cannot be recorded .*EROFS/),
        eventsLost: lost(run),
        processesLeft: countSurvivors(run),
      })),
  },
  {
    name: "the disk of the output file fills up",
    times: 4,
    attempt: (_index, random) =>
      runOnDisk(
        {
          disk: `size=${8 + 4 * random.below(60)}k`,
          options: (disk) => ["--no-log", "--output-file", join(disk, "out.jsonl")],
        },
        async (run) => ({
          problems: [
            ...problemsOf(run, /the output file .*ENOSPC/),
            ...problemsOfPrefix(join(run.directory, "data", "out.jsonl"), run.lines),
          ],
          eventsLost: lost(run),
          processesLeft: countSurvivors(run),
        }),
      ),
  },
  {
    name: "the disk that standard output is written to fills up",
    times: 4,
    attempt: (_index, random) =>
      runOnDisk(
        {
          disk: `size=${8 + 4 * random.below(60)}k`,
          options: () => ["--no-log"],
          stdout: (disk) => join(disk, "out.jsonl"),
        },
        async (run) => ({
          problems: [
            ...(run.status === 74 ? [] : [`exit code ${run.status}, not 74`]),
            ...(/standard output .*ENOSPC/.test(run.stderr) ? [] : [`it said only: ${run.stderr}`]),
          ],
          eventsLost: 0,
          processesLeft: countSurvivors(run),
        }),
      ),
  },
];

export const disks: readonly Fault[] = everyDisk.map((fault) =>
  skipped === undefined ? fault : { ...fault, skipped, times: 0 },
);

/** The recording replays, is a prefix of the run, and says that it is incomplete. */
async function problemsOfRecording(directory: string): Promise<string[]> {
  const [runId] = recordedRuns(directory);
  // There may not have been room even for the sidecar.
  if (runId === undefined) return [];
  const { records, problems } = await checkRecording(sessionsIn(directory), runId, generic);
  const recorded = numbersSaid(records);
  const isPrefix = recorded.every((number, index) => number === index) && recorded.length < lines;
  return [...problems, ...(isPrefix ? [] : ["the recording is not a prefix of the run"])];
}

function problemsOfPrefix(path: string, printed: readonly string[]): string[] {
  const written = readFileSync(path, "utf8");
  const whole = printed.map((line) => `${line}\n`).join("");
  if (!whole.startsWith(written)) return [`${path} is not a prefix of the printed output`];
  return written === "" || written.endsWith("\n") ? [] : [`${path} ends in the middle of a line`];
}
