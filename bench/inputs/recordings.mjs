import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const agents = ["claude", "codex", "opencode", "goose", "pi"];
const start = Date.parse("2026-01-01T00:00:00Z");
const ownerOnly = { mode: 0o600 };

/** A directory with recordings of finished runs, one every four minutes; every seventh has failed. */
export function makeRecordings(directory, count) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (let n = 0; n < count; n++) {
    const meta = sidecar(n);
    const base = join(directory, meta.runId);
    const event = { timestamp: meta.startedAt, type: "write", path: `/home/user/project/src/part-${n}.ts` };
    mkdirSync(base, { mode: 0o700 });
    writeFileSync(`${base}.meta.json`, `${JSON.stringify(meta, null, 2)}\n`, ownerOnly);
    writeFileSync(`${base}.ndjson`, "", ownerOnly);
    writeFileSync(join(base, "raw.jsonl"), "", ownerOnly);
    writeFileSync(join(base, "events.jsonl"), `${JSON.stringify(event)}\n`, ownerOnly);
  }
}

function sidecar(n) {
  const at = new Date(start + n * 240_000);
  const digits = at.toISOString().replace(/\D/g, "");
  const hasFailed = n % 7 === 0;
  const failure = { kind: "auth", message: "Invalid API key · Please run /login" };
  return {
    runId: `${digits.slice(0, 8)}-${digits.slice(8, 14)}-00${(n % 36 ** 4).toString(36).padStart(4, "0")}`,
    agent: agents[n % agents.length],
    agentVersion: "2.1.0",
    model: "some-model-5",
    cwd: `/home/user/project-${n % 40}`,
    prompt: `Task ${n}: fix the failing test in src/part-${n}.ts and explain what was wrong with it`,
    argv: ["agent", "--print", "--output-format", "stream-json", "--verbose"],
    envNames: [],
    permissions: "full-access",
    startedAt: at.toISOString(),
    endedAt: new Date(at.getTime() + 61_500).toISOString(),
    outcome: hasFailed
      ? { isSuccess: false, reason: "failed", failure }
      : { isSuccess: true, reason: "completed" },
    exitCode: hasFailed ? 1 : 0,
    sessionId: `0b6f3d5a-8a58-4f8e-9c14-${String(n).padStart(12, "0")}`,
    usage: {
      inputTokens: 1200,
      outputTokens: 340,
      cacheReadTokens: 20_000,
      totalTokens: 21_540,
      scope: "run",
    },
    costUsd: 0.01234,
    durationMs: 61_000,
    counts: { text: 12, tool_start: 3, tool_end: 3, write: n % 3 === 0 ? 2 : 0, command: 1, result: 1 },
  };
}
