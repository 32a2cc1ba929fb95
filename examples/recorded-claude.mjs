#!/usr/bin/env node
/** Stands in for `claude`: prints a real recorded run of Claude Code, so that no agent and no key are needed. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const recording = new URL("../test/fixtures/captures/claude/subagent/stdout.jsonl", import.meta.url);
for (const line of readFileSync(recording, "utf8").split(/(?<=\n)/)) {
  process.stdout.write(line);
  await sleep(60);
}
