import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { HarnessError } from "../../errors.js";
import { complain } from "../complain.js";
import { isFromInput } from "../logs.js";
import {
  createNaming,
  type ManyTargets,
  makeTargetDirectories,
  manyTargets,
} from "../many/directory-targets.js";
import type { RunJob } from "../many/job.js";
import { enoughBytes, runMany } from "../many/run-many.js";
import type { TranslateFlags } from "./command.js";
import { type FoundLogs, findLogs, logEndings } from "./find-logs.js";
import { type GivenLog, openTranslationWork, type TranslationSetup } from "./translation-work.js";

/** Translates many logs: those that are named, and those in directories. Resolves to the exit code. */
export async function translateMany(paths: readonly string[], flags: TranslateFlags): Promise<number> {
  const targets = manyTargets(flags, "ndjson");
  refuseOddities(paths, flags, targets);
  const setup: TranslationSetup = { flags, format: targets.format };
  // An agent that does not exist, or whose module cannot be loaded, is refused once and not for each log.
  const work = await openTranslationWork(setup);
  const found = findLogs(
    paths,
    targets.directories.map(({ directory }) => directory),
  );
  explainChoice(found);
  if (found.logs.length === 0 && found.problems.length === 0)
    throw new HarnessError(
      "unknown_log",
      `there is no log in ${paths.join(", ")}: no file that ends with ${logEndings.join(", ")}`,
    );
  makeTargetDirectories(targets);
  const jobs = toJobs(found, targets);
  return runMany({
    jobs,
    noun: "log",
    setup,
    open: () => Promise.resolve(work),
    entry: "translate-worker.cjs",
    mostLanes: flags.jobs,
    bytes: bytesOf(jobs),
    isPrinting: targets.format !== undefined,
    hasHeadings: flags.explain === true || targets.format === "text",
    problems: found.problems,
  });
}

function refuseOddities(paths: readonly string[], flags: TranslateFlags, { directories }: ManyTargets): void {
  const invalid = (message: string) => new HarnessError("invalid_option", message);
  if (paths.some(isFromInput)) throw invalid("standard input cannot be one of several logs; leave - out");
  if (flags.runId !== undefined)
    throw invalid("--run-id is for one log; each of several has the name of its file as its run id");
  const roots = new Set(paths.map((path) => resolve(path)));
  const same = directories.find(({ directory }) => roots.has(directory));
  if (same !== undefined)
    throw invalid(`--output ${same.name}=${same.directory}/ is where the logs are; choose another directory`);
}

/** How many names are shown of what was left out. */
const mostShown = 3;

/** What is below a directory and is not read is said, so that nothing is missing without a word. */
function explainChoice({ leftOut, links }: FoundLogs): void {
  if (leftOut.length > 0)
    complain(
      `left out ${describe(leftOut, "file")}: only names that end with ${logEndings.join(", ")} are read in a directory; name others to have them read`,
    );
  if (links.length > 0) complain(`did not follow ${describe(links, "link")} to directories`);
}

function describe(paths: readonly string[], noun: string): string {
  const names = [...new Set(paths.map((path) => basename(path)))].sort();
  const more = names.length > mostShown ? ", …" : "";
  return `${paths.length} ${noun}${paths.length === 1 ? "" : "s"} (${names.slice(0, mostShown).join(", ")}${more})`;
}

function toJobs({ logs }: FoundLogs, targets: ManyTargets): RunJob<GivenLog>[] {
  const nameRun = createNaming(targets);
  return logs.map(({ path, stems }) => {
    const { stem: runId, files } = nameRun(stems);
    return { name: path, given: { path, runId }, files };
  });
}

/** The size of the logs, counted until it is certain that they keep all lanes busy. */
function bytesOf(jobs: readonly RunJob<GivenLog>[]): number {
  const enough = enoughBytes();
  let bytes = 0;
  for (const { given } of jobs) {
    if (bytes >= enough) break;
    try {
      bytes += statSync(given.path).size;
    } catch {
      // It cannot be read, which is said when its turn comes.
    }
  }
  return bytes;
}
