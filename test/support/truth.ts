import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import type { EventOf, HarnessEvent } from "../../src/events/event.js";
import { tokenClassNames } from "../../src/events/sound-numbers.js";
import { type Capture, captureNames, readCapture, translateCapture } from "./captures.js";

/** What the scripted model and the disk saw of a run, kept beside its capture as `truth.json`. */
interface Truth {
  /** Files of the workspace that are new or changed, with their text. Null: the file was removed. */
  disk: Record<string, string | null>;
  requests: Request[];
}

interface Request {
  /** `turn` and `followUp` are the conversation, `side` is a title or a summary, `over` is a turn after the script's end. */
  kind: "turn" | "followUp" | "side" | "other" | "over" | "fault";
  /** The task of the subagent that asked. Absent: the main agent asked. */
  subagent?: string;
  status: number;
  text: string;
  /** False if the answer was cut. */
  isComplete: boolean;
  calls: { id: string; tool: string; input: string }[];
  usage?: Record<"input" | "cacheRead" | "cacheWrite" | "output" | "reasoning", number>;
}

/** What is compared with the truth. */
type Question = "writes" | "files" | "calls" | "tokens" | "answer";

/** Why an agent's stream cannot say what is true, by scenario and question. */
export interface KnownLimits {
  scenarios?: Record<string, Partial<Record<Question, string>>>;
  /** Requests after the last turn are the agent's own (a title, a summary), and not part of the conversation. */
  endsWithAside?: true;
  /** Classes of tokens that the scripted model does not report to this agent, and why. They are not compared. */
  unreported?: Partial<Record<TokenClass, string>>;
}

/**
 * Compares the events of every capture that has a `truth.json` with what really happened. A difference is a mistake, or a
 * limit of the agent's stream that `limits` names with its reason. A limit of a scenario that no longer differs fails too.
 */
export function describeTruth(agent: AgentDefinition, limits: KnownLimits = {}): void {
  const scenarios = captureNames(agent.id).filter((name) =>
    existsSync(`${readCapture(agent.id, name).directory}truth.json`),
  );
  describe.each(scenarios)(`${agent.id}: the truth of %s`, (scenario) => {
    const capture = readCapture(agent.id, scenario);
    const truth: Truth = JSON.parse(readFileSync(`${capture.directory}truth.json`, "utf8"));
    if (limits.endsWithAside)
      for (const request of truth.requests) if (request.kind === "over") request.kind = "side";
    const events = translateCapture(agent, capture).flatMap((line) => line.events);
    const known = limits.scenarios?.[scenario] ?? {};

    it.each(Object.keys(questions) as Question[])("%s", (question) => {
      const unreported = Object.keys(limits.unreported ?? {}).map((name) => `${name}:`);
      const differences = questions[question](events, truth, capture).filter(
        (difference) => question !== "tokens" || !unreported.some((name) => difference.startsWith(name)),
      );
      if (known[question] !== undefined) expect(differences, "this limit no longer exists").not.toEqual([]);
      else expect(differences).toEqual([]);
    });
  });
}

type Compare = (events: readonly HarnessEvent[], truth: Truth, capture: Capture) => string[];

const questions: Readonly<Record<Question, Compare>> = {
  writes: writesThatDidNotHappen,
  files: filesThatNobodyWrote,
  calls: callsThatAreMissing,
  tokens: tokensThatDiffer,
  answer: answerThatDiffers,
};

/** Successful writes of files in the workspace that are not new or changed on the disk. */
function writesThatDidNotHappen(
  events: readonly HarnessEvent[],
  { disk }: Truth,
  { cwd }: Capture,
): string[] {
  return ofType(events, "write")
    .filter(({ isSuccess, path }) => isSuccess === true && !isExplained(inside(cwd, path), disk))
    .map(({ path }) => path);
}

function isExplained(path: string, disk: Truth["disk"]): boolean {
  return path.startsWith("../") || path in disk;
}

/** Files that are new or changed, and that neither a write nor any call or command names. */
function filesThatNobodyWrote(events: readonly HarnessEvent[], { disk }: Truth, { cwd }: Capture): string[] {
  const written = new Set(
    ofType(events, "write").flatMap(({ path, isSuccess }) =>
      isSuccess === false ? [] : [inside(cwd, path)],
    ),
  );
  const said = JSON.stringify(
    events.filter(({ type }) => ["command", "tool_start", "unknown", "orchestration"].includes(type)),
  );
  return Object.keys(disk).filter((file) => !written.has(file) && !said.includes(posix.basename(file)));
}

/** Calls of the model that no event shows. Calls with cut JSON as arguments are left out: agents refuse them in different ways. */
function callsThatAreMissing(events: readonly HarnessEvent[], { requests }: Truth): string[] {
  const shown = JSON.stringify(
    events.filter(({ type }) => type === "tool_start" || type === "command" || type === "write"),
  );
  return conversation(requests)
    .filter(({ isComplete, subagent }) => isComplete && subagent === undefined)
    .flatMap(({ calls }) => calls)
    .filter(
      ({ input }) => !/^"\{/.test(input) && !wordsOf(JSON.parse(input)).every((text) => shown.includes(text)),
    )
    .map(({ tool, input }) => `${tool} ${input.slice(0, 200)}`);
}

/** What the events must contain, as JSON spells it: the files of a patch, or the longest text of the input. */
function wordsOf(input: unknown): string[] {
  const text = longestText(input);
  const files = [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(
    ([, file = ""]) => file,
  );
  const words = files.length > 0 ? files.map((file) => posix.basename(file)) : [text];
  return words.map((word) => JSON.stringify(word).slice(1, -1));
}

type TokenClass = Exclude<(typeof tokenClassNames)[number], "totalTokens">;

const classes = tokenClassNames.filter((name): name is TokenClass => name !== "totalTokens");

/**
 * Classes of tokens whose number differs from what the model counted. A class that is not reported is not compared. Agents may
 * leave out requests outside the conversation (a title). Most APIs of models have no class for tokens that are written to a
 * cache, and count them as input.
 */
function tokensThatDiffer(events: readonly HarnessEvent[], { requests }: Truth): string[] {
  const usage = ofType(events, "usage").find(({ scope }) => scope === "run");
  if (usage === undefined) return [];
  const [first = [], ...others] = [conversation(requests), requests].flatMap((counted) =>
    [false, true].map((isInput) => differencesOf(usage, sumOf(counted, isInput))),
  );
  return others.some((differences) => differences.length === 0) ? [] : first;
}

type Tokens = Record<TokenClass, number>;

function sumOf(requests: readonly Request[], isCacheWriteInput: boolean): Tokens {
  const sum = (counted: keyof NonNullable<Request["usage"]>) =>
    requests.reduce((total, request) => total + (request.usage?.[counted] ?? 0), 0);
  const cacheWriteTokens = isCacheWriteInput ? 0 : sum("cacheWrite");
  return {
    inputTokens: sum("input") + (isCacheWriteInput ? sum("cacheWrite") : 0),
    cacheReadTokens: sum("cacheRead"),
    cacheWriteTokens,
    outputTokens: sum("output"),
    reasoningTokens: sum("reasoning"),
  };
}

function differencesOf(usage: Partial<Tokens>, counted: Tokens): string[] {
  return classes.flatMap((name) => {
    const tokens = usage[name];
    return tokens === undefined || tokens === counted[name]
      ? []
      : [`${name}: ${tokens} instead of ${counted[name]}`];
  });
}

/** A success whose text is not the last text that the model gave the main agent. */
function answerThatDiffers(events: readonly HarnessEvent[], { requests }: Truth): string[] {
  const result = ofType(events, "result")[0];
  if (result?.isSuccess !== true) return [];
  const said = requests.filter(({ kind, subagent, text }) => mainKinds.has(kind) && !subagent && text !== "");
  const last = said.at(-1)?.text;
  return result.text?.trim() === last?.trim() ? [] : [`${result.text} instead of ${last}`];
}

const mainKinds: ReadonlySet<string> = new Set(["turn", "followUp", "over"]);

function conversation(requests: readonly Request[]): Request[] {
  return requests.filter(({ kind, status }) => mainKinds.has(kind) && status === 200);
}

function ofType<T extends HarnessEvent["type"]>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The path as `truth.json` has it: relative to the workspace. */
function inside(cwd: string, path: string): string {
  return posix.relative(cwd, posix.resolve(cwd, path));
}

function longestText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value)
    .map(longestText)
    .reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}
