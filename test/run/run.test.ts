import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { finish } from "./test-agent.js";

it("smoke", async () => {
  const f = await finish("talk");
  console.log(f.events, f.result);
  console.log(readFileSync(join(f.sessions, f.run.runId, "raw.jsonl"), "utf8"));
  console.log(readFileSync(join(f.sessions, f.run.runId, "events.jsonl"), "utf8"));
  console.log(readFileSync(join(f.sessions, `${f.run.runId}.ndjson`), "utf8"));
  console.log(readFileSync(join(f.sessions, `${f.run.runId}.meta.json`), "utf8"));
  expect(f.result.isSuccess).toBe(true);
});
