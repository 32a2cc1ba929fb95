import { createReadStream, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { AgentDefinition } from "../agents/definition.js";
import { type Recognition, recognizeAgent } from "../agents/recognize-agent.js";
import { findAgent } from "../agents/registry.js";
import { HarnessError, problemOf } from "../errors.js";
import type { RawRecord } from "../events/raw-record.js";
import { findSidecar } from "../runs/recording/find-sidecar.js";
import { complain } from "./complain.js";

/** Logs of agents: opened, and their agent recognised. */

/** Standard input is a file without a name, or `-`. */
export function isFromInput(file: string | undefined): file is undefined | "-" {
  return file === undefined || file === "-";
}

export async function openLog(file: string | undefined): Promise<AsyncIterable<Buffer>> {
  if (isFromInput(file)) {
    if (process.stdin.isTTY) complain("reading from the terminal; end the input with Ctrl-D, or name a file");
    return process.stdin;
  }
  const unreadable = (problem: string, cause?: unknown) =>
    new HarnessError("unreadable_file", `cannot read ${file}: ${problem}`, { cause });
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(problemOf(error), error);
  });
  const found = await handle.stat();
  if (found.isFile()) return chunksOf(handle);
  if (!found.isDirectory()) return createReadStream("", { fd: handle });
  await handle.close();
  throw unreadable("it is a directory, not a file");
}

/** What is made of a chunk of this size stays in the caches of a processor. */
const chunkBytes = 128 * 1024;
const chunksBetweenTurns = 8;

/**
 * A regular file never keeps its reader waiting, so it is read synchronously: waiting for another thread takes 2 % of a translation.
 * Everything else gets its turn after each MB: a reader of standard output may have gone.
 */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  try {
    for (let count = 1; ; count++) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes);
      const length = readSync(handle.fd, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
      if (count % chunksBetweenTurns === 0) await setImmediate();
    }
  } finally {
    await handle.close();
  }
}

/** The built-in agent that the sidecar of a recording names, if the file is a `raw.jsonl` in its recording. */
export function agentOfSidecar(file: string | undefined): AgentDefinition | undefined {
  const meta = isFromInput(file) ? undefined : findSidecar(file)?.meta;
  const names = [meta?.agent, meta?.translator].filter((name) => typeof name === "string");
  return names.flatMap((name) => findAgent(name) ?? [])[0];
}

/** The agent of a log by its first records. Undefined: more of them are needed. Throws if it cannot be said. */
export function agentOfRecords(
  records: readonly RawRecord[],
  { isWhole, name }: { isWhole: boolean; name: string },
): AgentDefinition | undefined {
  const found = recognizeAgent(records, isWhole);
  if (found === undefined || "agent" in found) return found?.agent;
  throw unrecognized(found, records.length === 0, name);
}

function unrecognized(
  { candidates }: Extract<Recognition, { candidates: unknown }>,
  isEmpty: boolean,
  name: string,
): HarnessError {
  const choice = "choose the agent with --agent";
  if (isEmpty) return new HarnessError("unknown_log", `${name} is empty; ${choice}`);
  if (candidates.length === 0) {
    const message = `${name} does not look like the log of an agent; if it is one, ${choice} (--agent generic for plain text)`;
    return new HarnessError("unknown_log", message);
  }
  const names = candidates.map((agent) => `${agent.name} (--agent ${agent.id})`);
  const all = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return new HarnessError("unknown_log", `cannot say which agent printed ${name}: it could be ${all}`);
}
