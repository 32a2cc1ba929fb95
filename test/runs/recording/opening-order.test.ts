import { existsSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { createRunId } from "../../../src/events/run-id.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { createRecorder } from "../../../src/runs/recording/recorder.js";
import { temporaryDirectory } from "../test-agent.js";

const whenSaved = vi.hoisted(() => ({ look: (): void => {} }));

vi.mock(import("../../../src/runs/recording/meta.js"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    writeMeta(path, meta) {
      whenSaved.look();
      original.writeMeta(path, meta);
    },
  };
});

it("a recording has its raw lines' file before it has a sidecar, so a harness killed in between leaves a readable one or none", () => {
  const sessionsDirectory = temporaryDirectory();
  const runId = createRunId();
  const paths = recordingPaths(sessionsDirectory, runId);
  const seen: boolean[] = [];
  whenSaved.look = () => seen.push(existsSync(paths.raw) && existsSync(paths.events));
  const meta = {
    runId,
    agent: "generic",
    prompt: "x",
    cwd: "/",
    argv: ["x"],
    envNames: [],
    permissions: "default",
    startedAt: "2026-01-01T00:00:00.000Z",
  };
  const recorder = createRecorder({ sessionsDirectory, meta });
  recorder.open();
  recorder.close({});
  expect(seen).toEqual([true, true]);
});
