import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { RecordedRequest } from "../../src/testing/index.js";
import { conversationOf, hasAnswer } from "./seen.js";
import type { Stage } from "./stage.js";

/** What there is at one moment of a run. From the moment of its stop on, a run adds nothing to it. */
export interface Moment {
  /** Every request that has reached the model, those for titles and the like too. */
  requests: string[];
  /** Everything in the workspace, with the time of its last change. */
  files: Record<string, string>;
  /** How many turns of the script have been asked for. */
  turns: number;
  /** The model has given a whole answer. */
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
