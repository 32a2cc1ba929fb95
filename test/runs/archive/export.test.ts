import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { outputNames } from "../../../src/outputs/registry.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { capturesDirectory } from "../../support/captures.js";
import { temporaryDirectory } from "../test-agent.js";
import { recordCapture } from "./recordings.js";

it("a recording is exported as every output there is", async () => {
  const directory = temporaryDirectory();
  const id = recordCapture(directory, "codex", "files");
  const texts = new Map<string, string>();
  for (const format of outputNames) texts.set(format, await recordings.export(id, { directory, format }));
  expect([...texts].filter(([, text]) => !text.endsWith("\n")).map(([format]) => format)).toEqual([]);
  const { events, ndjson } = recordingPaths(directory, id);
  expect(texts.get("events")).toBe(readFileSync(events, "utf8"));
  expect(texts.get("raw")).toBe(readFileSync(`${capturesDirectory}codex/files/stdout.jsonl`, "utf8"));
  expect(JSON.parse(texts.get("json") ?? "")).toMatchObject({ agent: "codex", recording: ndjson });
  const [asked] = JSON.parse(texts.get("atif") ?? "").steps;
  expect(asked).toMatchObject({ source: "user", message: "Fix it" });
});
