import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AgentDefinition } from "../../agents/definition.js";
import { findAgent } from "../../agents/registry.js";
import { HarnessError } from "../../errors.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { findPrice } from "../../models/find-price.js";
import { loadModels } from "../../models/load-models.js";
import { directoryFilterOf } from "../../runs/archive/list.js";
import { createStaging } from "../../runs/archive/staging.js";
import {
  agentsWithStores,
  type FoundSession,
  type FoundStore,
  findStores,
  type ImportState,
  listStoredSessions,
} from "../../runs/archive/stored-sessions.js";
import { defaultRecordingsDirectory } from "../../runs/recording/paths.js";
import { outcomeWords } from "../../story/outcomes.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatNumberOf } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import { formatAge } from "../moments.js";
import { createOutput, type StandardOutput } from "../output.js";
import { directoryFilter } from "../run-filters.js";
import { toTable } from "../table.js";
import type { ImportFlags } from "./import-command.js";
import { type NewRecording, startWriting } from "./write-recording.js";

/** Imports the sessions that agents keep themselves. `from` is an agent, `all`, or `true`: then the stores are only listed. */
export async function importStoredAction(from: string | true, flags: ImportFlags): Promise<number> {
  const output = createOutput(process.stdout);
  const place = placeOf(flags);
  if (from === true) return listStores(agentsWithStores(), place, flags, output);
  const chosen = from === "all" ? agentsWithStores() : [requireStore(from)];
  const stores = chosen.flatMap((agent) => findStores(agent, place));
  if (stores.length === 0) {
    const names = chosen.map(({ name }) => name).join(", ");
    complain(
      `no sessions of ${names} in ${place.home}; --home DIR looks in another home, and --from alone lists what is here`,
    );
    if (flags.json) await output.printJson([]);
    return exitCodes.success;
  }
  const found = await listAll(stores, flags);
  const made = await importAll(found, flags, output);
  if (flags.json) await output.printJson(made.map(toReport));
  else await printSummary(made, flags, output);
  return exitCodes.success;
}

function placeOf({ home }: ImportFlags): { env: NodeJS.ProcessEnv; home: string } {
  if (home === undefined) return { env: process.env, home: process.env["HOME"] || homedir() };
  const directory = resolve(home);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new HarnessError("unreadable_file", `${home} is not a directory; --home takes the home of a user`);
  // The variables of this user lead to the stores of this user.
  return { env: {}, home: directory };
}

function requireStore(name: string): AgentDefinition {
  const agent = findAgent(name);
  if (agent?.store !== undefined) return agent;
  const known = agentsWithStores().map(({ id }) => id);
  const problem =
    agent === undefined ? `there is no agent "${name}"` : `the sessions of ${agent.name} cannot be imported`;
  throw new HarnessError("unknown_agent", `${problem}; --from takes ${known.join(", ")} or all`);
}

async function listAll(stores: readonly FoundStore[], flags: ImportFlags): Promise<FoundSession[]> {
  const directory = defaultRecordingsDirectory();
  const cwd = directoryFilter(flags);
  const filter = {
    since: flags.since,
    session: flags.session,
    matchesDirectory: cwd === undefined ? undefined : directoryFilterOf(cwd),
  };
  const found: FoundSession[] = [];
  for (const store of stores) found.push(...(await listStoredSessions(store, directory, filter)));
  return found;
}

/** A session, and the recording that was made of it. */
interface Made extends FoundSession {
  meta: RecordingMeta | undefined;
}

const wanted: ReadonlySet<ImportState> = new Set(["new", "grown"]);
/** The most sessions that are listed one by one. */
const mostShown = 20;

async function importAll(
  found: readonly FoundSession[],
  flags: ImportFlags,
  output: StandardOutput,
): Promise<Made[]> {
  const isWriting = !flags.dryRun && found.some(({ state }) => wanted.has(state));
  const staging = isWriting ? createStaging(defaultRecordingsDirectory()) : undefined;
  const { layers } = loadModels(readConfiguration({ trust: flags.trust }));
  const options = {
    priceOf: (model: string) => findPrice(model, layers),
    isFromOtherHome: flags.home !== undefined,
  };
  const made: Made[] = [];
  let shown = 0;
  try {
    for (const session of found) {
      const isWanted = wanted.has(session.state);
      const meta =
        isWanted && staging !== undefined ? writeSession(session, staging.directory, options) : undefined;
      if (meta !== undefined) await staging?.adopt(meta.runId);
      made.push({ ...session, meta });
      if (!isWanted || flags.json) continue;
      shown += 1;
      if (shown <= mostShown) await output.print(describe({ ...session, meta }));
    }
  } finally {
    staging?.close();
  }
  const more = shown - mostShown;
  if (more > 0) await output.print(`… and ${more} more\n`);
  return made;
}

function describe({ runId = "", agent, about, modifiedAt, meta }: Made): string {
  const when = formatAge(new Date(modifiedAt).toISOString(), Date.now());
  const outcome = meta?.outcome === undefined ? [] : [outcomeWords[meta.outcome.reason]];
  return `${[runId, agent.id, when, ...outcome, toVisibleLine(about.prompt ?? "", 80)].join("  ")}\n`;
}

/** Writes the recording of a session to the staging directory. */
function writeSession(
  { agent, store, session, reader, about, bytes, modifiedAt, runId = "" }: FoundSession,
  sessionsDirectory: string,
  { priceOf, isFromOtherHome }: { priceOf: NewRecording["findPrice"]; isFromOtherHome: boolean },
): RecordingMeta {
  const startedAt = about.startedAt ?? new Date(modifiedAt).toISOString();
  const meta: RecordingMeta = {
    runId,
    agent: agent.id,
    cwd: about.cwd ?? "",
    prompt: about.prompt ?? "",
    argv: [],
    envNames: [],
    permissions: "",
    startedAt,
    sessionAtStart: about.sessionId ?? session.id,
    ...(about.agentVersion !== undefined && { versionAtStart: about.agentVersion }),
    imported: {
      file: session.files[0]?.path.split("/").at(-1) ?? session.id,
      importedAt: new Date().toISOString(),
      store: store.id,
      session: session.id,
      source: { bytes, modifiedAt },
      ...(isFromOtherHome && { isFromOtherHome: true as const }),
    },
  };
  const writing = startWriting({ agent, meta, first: [], sessionsDirectory, findPrice: priceOf });
  try {
    let at = startedAt;
    let records: RawRecord[] = [];
    for (const { timestamp, ...line } of store.records(session, reader)) {
      at = timestamp ?? at;
      records.push({ timestamp: at, stream: "stored", ...line });
      if (records.length < recordsAtOnce) continue;
      writing.push(records);
      records = [];
    }
    writing.push(records);
    return writing.end(at).meta;
  } catch (error) {
    writing.discard();
    throw error;
  }
}

const recordsAtOnce = 64;

function toReport({ agent, session, about, bytes, modifiedAt, runId, state, meta }: Made) {
  return {
    agent: agent.id,
    session: about.sessionId ?? session.id,
    state,
    ...(runId !== undefined && state !== "recorded" && { id: runId }),
    ...(meta?.outcome !== undefined && { outcome: meta.outcome.reason }),
    ...(about.startedAt !== undefined && { startedAt: about.startedAt }),
    usedAt: new Date(modifiedAt).toISOString(),
    ...(about.cwd !== undefined && { cwd: about.cwd }),
    ...(about.prompt !== undefined && { prompt: about.prompt }),
    bytes,
  };
}

async function printSummary(
  made: readonly Made[],
  flags: ImportFlags,
  output: StandardOutput,
): Promise<void> {
  const count = (state: ImportState) => made.filter((one) => one.state === state).length;
  const [fresh, grown] = [count("new"), count("grown")];
  const verb = flags.dryRun ? "would be imported" : "imported";
  const parts = [
    `${formatNumberOf(fresh + grown, "session")} ${verb}${grown > 0 ? ` (${grown} had grown since the last time)` : ""}`,
    ...note(count("unchanged"), "imported before"),
    ...note(count("recorded"), "recorded by harness itself"),
    ...note(count("empty"), "without a prompt"),
  ];
  await output.print(`${parts.join(", ")}\n`);
  const ids = new Set(made.flatMap(({ state, agent }) => (wanted.has(state) ? [agent.id] : [])));
  const only = ids.size === 1 ? ` --agent ${[...ids]}` : "";
  if (ids.size > 0 && !flags.dryRun) await output.print(`see them: harness sessions list${only}\n`);
  if (made.length === 0) complain("no session matches");
}

function note(count: number, words: string): string[] {
  return count === 0 ? [] : [`${count} ${words}`];
}

/** Which agents have sessions here. */
async function listStores(
  agents: readonly AgentDefinition[],
  place: ReturnType<typeof placeOf>,
  flags: ImportFlags,
  output: StandardOutput,
): Promise<number> {
  const stores = agents.flatMap((agent) => findStores(agent, place)).map(describeStore);
  if (flags.json) await output.printJson(stores);
  else if (stores.length > 0)
    await output.print(
      toTable(
        ["AGENT", "SESSIONS", "LAST USED", "DIRECTORY"],
        stores.map(({ agent, sessions, usedAt, directory }) => [
          agent,
          String(sessions),
          usedAt === undefined ? "-" : formatAge(usedAt, Date.now()),
          directory,
        ]),
      ),
    );
  if (stores.length === 0) {
    const names = agents.map(({ name }) => name).join(", ");
    complain(`no sessions in ${place.home}; these agents were looked for: ${names}`);
  } else if (!flags.json) complain("import them with: harness sessions import --from AGENT, or --from all");
  return exitCodes.success;
}

function describeStore({ agent, store, reader }: FoundStore) {
  const sessions = [...store.sessions(reader)];
  const latest = sessions
    .flatMap(({ files }) => files)
    .reduce((time, { modifiedAt }) => Math.max(time, modifiedAt), 0);
  return {
    agent: agent.id,
    directory: reader.directory,
    sessions: sessions.length,
    ...(sessions.length > 0 && { usedAt: new Date(latest).toISOString() }),
  };
}
