import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { RecordedRequest } from "../../src/testing/index.js";
import { conversationOf, hasAnswer } from "./seen.js";
import type { Stage } from "./stage.js";

/** The state at one moment of a run. After its stop, a run must not change it. */
export interface Moment {
  /** Every request that has reached the model, including those for titles. */
  requests: string[];
  /** Everything in the workspace, with the time of the last change. */
  files: Record<string, string>;
  /** The number of turns of the script that were requested. */
  turns: number;
  /** The model has sent a complete answer. */
  isAnswered: boolean;
}

export function momentOf({ model, workspace }: Stage, firstRequest: number): Moment {
  const requests = model.requests.slice(firstRequest);
  const entries = readdirSync(workspace, { recursive: true, withFileTypes: true });
  const paths = [workspace, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  return {
    requests: requests.map(describe),
    files: Object.fromEntries(paths.sort().map((path) => [relative(workspace, path) || ".", changeOf(path)])),
    turns: conversationOf(requests).length,
    isAnswered: hasAnswer(requests),
  };
}

function describe({ number, method, path, toolResults }: RecordedRequest): string {
  const results = toolResults.map(({ text }) => ` after ${JSON.stringify(text.slice(0, 100))}`);
  return `${number} ${method} ${path}${results.join("")}`;
}

function changeOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? "gone" : `${found.size} bytes, changed at ${found.mtimeMs}`;
}
