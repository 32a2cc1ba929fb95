import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { open } from "../../src/live/open.js";
import { recordings } from "../../src/runs/archive/recordings.js";
import { markedPids } from "../process/alive.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import { expectSoundSession } from "../support/live-conformance.js";
import { eventually, replayProgram } from "./support/drive.js";

const library = new URL("../../dist/index.js", import.meta.url).href;
const transcript = fileURLToPath(
  new URL("../fixtures/live/app-server-codex/interrupt.jsonl", import.meta.url),
);

/** A program with a tool below it, which outlives nobody. */
const agents = {
  "over its protocol": { agent: "codex", last: `exec "${replayProgram("pipe")}" "$@"` },
  "with a process per turn": {
    agent: "cursor",
    last: `echo '{"type":"system","subtype":"init","session_id":"chat-1","model":"m","cwd":"/"}'; sleep 300`,
  },
} as const;

/** Opens a session in a process of its own, and gives it a prompt. It prints the run's id. */
function openElsewhere(agent: string, binary: string, directory: string): ChildProcess {
  const script = `
    import { open } from ${JSON.stringify(library)};
    const session = open({
      agent: ${JSON.stringify(agent)}, binary: ${JSON.stringify(binary)}, cwd: ${JSON.stringify(directory)},
      permissions: "full-access", sessionsDirectory: ${JSON.stringify(join(directory, "sessions"))},
    });
    console.log(session.runId);
    session.send("Sleep");
    for await (const event of session) if (event.type === "turn") console.log("turn");`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, REPLAY_TRANSCRIPT: transcript },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

it.each(Object.entries(agents))(
  "a session %s whose harness is killed leaves nobody, and its recording can be read",
  async (_name, { agent, last }) => {
    const directory = temporaryDirectory();
    const binary = join(directory, "agent");
    writeFileSync(binary, `#!/bin/sh\n(setsid sleep 300) &\n${last}\n`);
    chmodSync(binary, 0o755);
    const child = openElsewhere(agent, binary, directory);
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const runId = await eventually(
      () => /^(\S+)\nturn\n/.exec(printed)?.[1],
      () => `a turn; it printed ${printed}`,
    );
    expect(markedPids(runId).length).toBeGreaterThanOrEqual(2);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    await eventually(
      () => (markedPids(runId).length === 0 ? true : undefined),
      () => `the end of ${markedPids(runId).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"))}`,
    );
    const place = { directory: join(directory, "sessions") };
    const recording = await recordings.find(runId, place);
    expect(recording.outcome).toBe("interrupted");
    const events = [];
    for await (const event of await recordings.replay(runId, place)) events.push(event);
    expectSoundSession(events);
    const resumed = open({
      agent,
      binary,
      cwd: directory,
      sessionsDirectory: place.directory,
      resume: "last",
      env: { REPLAY_TRANSCRIPT: transcript },
    });
    await resumed.close();
    expect(resumed.sessionId).toBe(recording.meta.sessionId);
    expect(resumed.sessionId).toBeDefined();
  },
  30_000,
);
