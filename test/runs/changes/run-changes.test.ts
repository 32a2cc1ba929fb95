import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../../src/events/event.js";
import { open } from "../../../src/live/open.js";
import { run } from "../../../src/live/run.js";
import { openRecording } from "../../../src/runs/archive/recording.js";
import { createReplay } from "../../../src/runs/archive/replay.js";
import type { Task } from "../../../src/runs/task.js";
import { shellAgent } from "../../batch/support/shell-agent.js";
import { makeDirectory, makeRepository, writeFiles } from "../../batch/workspace/places.js";
import { checkRecording } from "../../faults/check-recording.js";
import { collect, ofType, testAgent } from "../test-agent.js";
import { useDataDirectory, usePath, useSlowGit } from "./watched.js";

let privatePlaces = "";
beforeEach(() => {
  privatePlaces = useDataDirectory();
});

const done = `echo '{"type":"done"}'`;

function start(script: string, task: Partial<Task> = {}) {
  const sessions = makeDirectory();
  const cwd = task.cwd ?? makeRepository();
  const running = run({
    agent: shellAgent,
    prompt: script,
    cwd,
    sessionsDirectory: sessions,
    changes: true,
    ...task,
  });
  return { running, sessions, cwd };
}

async function finish(script: string, task: Partial<Task> = {}) {
  const { running, sessions, cwd } = start(script, task);
  const events = await collect(running);
  const result = await running.result;
  const patchPath = join(sessions, running.runId, "changes.patch");
  return { events, result, sessions, cwd, patchPath, runId: running.runId };
}

describe("a run in a git workspace", () => {
  it("says what it changed, in the stream, the result and the recording", async () => {
    const { events, result, sessions, cwd, patchPath, runId } = await finish(
      `echo more >> a.txt; echo new > new.txt; ${done}`,
    );
    const types = events.map(({ type }) => type);
    expect(types.slice(-4)).toEqual(["changes", "usage", "result", "exited"]);
    const numbers = { insertions: 2, deletions: 0 };
    const files = [
      { path: "a.txt", kind: "modified", insertions: 1, deletions: 0 },
      { path: "new.txt", kind: "added", insertions: 1, deletions: 0 },
    ];
    expect(ofType(events, "changes")).toMatchObject([{ root: cwd, files, ...numbers }]);
    expect(result.changes).toMatchObject({ source: "git", root: cwd, files, ...numbers });
    const recording = openRecording(sessions, runId);
    expect(recording.meta.changes).toEqual({ source: "git", files: 2, ...numbers });
    expect(readFileSync(patchPath, "utf8")).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
    expect(await collect(createReplay(recording, { agent: shellAgent }))).toEqual(events);
    const checked = await checkRecording(sessions, runId, shellAgent);
    expect(checked).toMatchObject({ state: "ended", problems: [], events });
    expect(checked.records.filter(({ stream }) => stream === "changes")).toMatchObject([{ files }]);
    execFileSync("git", ["apply", "-R", patchPath], { cwd });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
    expect(readdirSync(privatePlaces)).toEqual([]);
  });

  it("says that it changed nothing, and that a failed one changed something", async () => {
    const nothing = await finish(done);
    expect(nothing.result.changes).toMatchObject({ source: "git", files: [] });
    expect(readFileSync(nothing.patchPath, "utf8")).toBe("");
    const failed = await finish("echo x > x.txt; exit 3");
    expect(failed.result).toMatchObject({ isSuccess: false, changes: { insertions: 1 } });
  });

  it("compares without a recording, and keeps the patch beside a copy", async () => {
    const to = join(makeDirectory(), "copy");
    const { result, sessions } = await finish(`echo x > x.txt; ${done}`, { log: false, recordTo: to });
    expect(result.changes).toMatchObject({ insertions: 1 });
    expect(readdirSync(sessions)).toEqual([]);
    expect(readFileSync(join(to, "changes.patch"), "utf8")).toContain("+x");
    const none = await finish(`echo x > x.txt; ${done}`, { log: false });
    expect(none.result.changes).toMatchObject({ insertions: 1 });
  });

  it("masks secrets in paths and in the patch", async () => {
    const secret = "sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA";
    const script = `echo "$TOKEN" > "$TOKEN.txt"; printf '\\000%s' "$TOKEN" > x.bin; ${done}`;
    const { events, patchPath, sessions } = await finish(script, { redact: true, env: { TOKEN: secret } });
    expect(ofType(events, "changes")[0]?.files).toHaveLength(2);
    expect(readFileSync(patchPath, "utf8")).toContain("[redacted");
    const found = execFileSync("sh", ["-c", `grep -rl sk-ant-api03 '${sessions}' || true`], {
      encoding: "utf8",
    });
    expect(found).toBe("");
  });

  it("is as before where there is no git workspace, or nobody wants to know", async () => {
    for (const task of [{ cwd: makeDirectory() }, { changes: false }]) {
      const { running, sessions } = start(`echo x > x.txt; ${done}`, task);
      // The agent is started at once.
      expect(running.pid).toBeGreaterThan(0);
      const events = await collect(running);
      expect(ofType(events, "changes")).toEqual([]);
      expect(await running.result).not.toHaveProperty("changes");
      expect(existsSync(join(sessions, running.runId, "changes.patch"))).toBe(false);
    }
  });

  it("is as before without git", async () => {
    const cwd = makeRepository();
    usePath(makeDirectory());
    const { events, result } = await finish(`echo x > x.txt; ${done}`, { cwd, binary: "/bin/sh" });
    expect(result.isSuccess).toBe(true);
    expect(ofType(events, "warning")).toEqual([]);
    expect(ofType(events, "changes")).toEqual([]);
  });

  it("says why nobody knows what it changed", async () => {
    const { events, result } = await finish(`echo x > a.txt; rm -rf .git; ${done}`);
    expect(result).toMatchObject({ isSuccess: true });
    expect(ofType(events, "warning")).toMatchObject([
      {
        code: "changes_unknown",
        message: expect.stringContaining("git diff-tree failed"),
      },
    ]);
    expect(readdirSync(privatePlaces)).toEqual([]);
  });

  it("does not start if it is cancelled while the files are read", async () => {
    const cwd = makeRepository();
    const flag = useSlowGit();
    writeFileSync(flag, "");
    const mark = join(makeDirectory(), "started");
    const { running } = start(`touch '${mark}'; ${done}`, { cwd });
    expect(running.pid).toBeUndefined();
    running.cancel();
    expect(await running.result).toMatchObject({ reason: "cancelled" });
    expect(existsSync(mark)).toBe(false);
  });

  it("ends at once if it is cancelled while the files are compared", async () => {
    const flag = useSlowGit();
    const { running } = start(`touch '${flag}'; echo '{"type":"say","text":"hi"}'; ${done}`);
    const events: HarnessEvent[] = [];
    for await (const event of running) {
      events.push(event);
      if (event.type === "agent") {
        // The agent ends by itself: from then on, somebody who presses Ctrl-C waits for the comparison.
        while (running.pid !== undefined && isAlive(running.pid))
          await new Promise((go) => setTimeout(go, 5));
        running.cancel();
        running.cancel();
      }
    }
    expect(ofType(events, "warning")).toMatchObject([{ code: "changes_unknown" }]);
    expect(await running.result).toMatchObject({ isSuccess: true, reason: "completed" });
  });

  it("is stopped by a second signal without a comparison", async () => {
    const flag = useSlowGit();
    const { running } = start(`touch '${flag}'; trap '' TERM; echo '{"type":"say"}'; sleep 300 & wait; wait`);
    for await (const event of running) {
      if (event.type !== "agent") continue;
      running.cancel();
      running.cancel();
    }
    expect(await running.result).toMatchObject({ reason: "cancelled" });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a session in a git workspace", () => {
  const script = `
    const { appendFileSync, readFileSync } = require("node:fs");
    const prompt = readFileSync(0, "utf8");
    console.log(JSON.stringify({ type: "session", id: "s1", model: "m" }));
    if (prompt !== "nothing") appendFileSync(prompt, "x\\n");
    console.log(JSON.stringify({ type: "done", text: prompt }));
  `;
  const agent = {
    ...testAgent,
    launch: ({ prompt }: { prompt: string }) => ({ args: ["-e", script], stdin: prompt }),
  };

  it("says after each turn what has changed since its start, before the next one begins", async () => {
    const cwd = makeRepository();
    writeFiles(cwd, { "mine.txt": "before\n" });
    const sessionsDirectory = makeDirectory();
    const session = open({ agent, binary: process.execPath, cwd, sessionsDirectory, changes: true });
    const reading = collect(session);
    const turns = ["nothing", "b.txt", "nothing", "c.txt"].map((prompt) => session.send(prompt));
    await Promise.all(turns.map(({ result }) => result));
    const result = await session.close();
    const events = await reading;
    const order = events.flatMap((event) =>
      event.type === "turn" || event.type === "turn_end" || event.type === "changes"
        ? [`${event.type} ${event.turnId}`]
        : [],
    );
    expect(order).toEqual([
      "turn turn_1",
      "turn_end turn_1",
      "turn turn_2",
      "turn_end turn_2",
      "changes turn_2",
      "turn turn_3",
      "turn_end turn_3",
      "turn turn_4",
      "turn_end turn_4",
      "changes turn_4",
    ]);
    const listed = ofType(events, "changes").map(({ files }) => files.map(({ path }) => path));
    expect(listed).toEqual([["b.txt"], ["b.txt", "c.txt"]]);
    expect(result.changes).toMatchObject({ source: "git", insertions: 2 });
    const recording = openRecording(sessionsDirectory, session.runId);
    expect(recording.meta.changes).toMatchObject({ files: 2 });
    expect(readFileSync(recording.paths.patch, "utf8")).toContain("b/c.txt");
    expect(await collect(createReplay(recording, { agent }))).toEqual(events);
    expect(readdirSync(privatePlaces)).toEqual([]);
  });

  it("can be closed before the agent has started", async () => {
    const session = open({
      agent,
      binary: process.execPath,
      cwd: makeRepository(),
      sessionsDirectory: makeDirectory(),
      changes: true,
    });
    const turn = session.send("b.txt");
    const reading = collect(session);
    await session.close();
    expect(await turn.result).toMatchObject({ isSuccess: false });
    expect((await reading).at(-1)).toMatchObject({ type: "exited" });
  });
});
