import * as v from "valibot";
import { isObject } from "../text/fields.js";
import { suggestFrom } from "../text/suggest.js";
import * as actions from "./actions.js";
import type { Entry, Piece, Scenario } from "./scenario.js";
import * as scenario from "./scenario.js";

/** A scenario as it is written in a file, with what a run of it needs. */
export interface ScriptFile {
  scenario: Scenario;
  /** What the agent is asked. */
  prompt?: string;
  /** The files that the agent finds, by their paths in its directory. */
  files: Readonly<Record<string, string>>;
}

/** What is wrong with a script, and where: the keys that lead there. */
export class ScriptProblem extends Error {
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}

type Path = readonly string[];

/** A word of a script: what it is given, in words, and what it makes of that. */
interface Form<Made> {
  rule: string;
  /** Undefined if the value does not fit the rule. */
  make(value: unknown): Made | undefined;
}

function form<Made, Value>(
  rule: string,
  schema: v.GenericSchema<unknown, Value>,
  make: (value: Value) => Made,
): Form<Made> {
  return {
    rule,
    make(value) {
      const parsed = v.safeParse(schema, value);
      return parsed.success ? make(parsed.output) : undefined;
    },
  };
}

function action<Value>(
  rule: string,
  schema: v.GenericSchema<unknown, Value>,
  make: (value: Value) => actions.Action,
): Form<Piece> {
  return form(rule, schema, (value) => scenario.call(make(value)));
}

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000));
const json = v.record(v.string(), v.unknown());
const started = v.strictObject({ description: text, prompt: text });
const change = v.variant("kind", [
  v.strictObject({ kind: v.literal("add"), path: text, content: text }),
  v.strictObject({
    kind: v.literal("update"),
    path: text,
    edits: v.array(v.strictObject({ oldText: text, newText: text })),
    moveTo: v.exactOptional(text),
  }),
  v.strictObject({ kind: v.literal("delete"), path: text }),
]);
const item = v.strictObject({ text, status: v.picklist(["pending", "in_progress", "completed"]) });
const lines = v.strictTuple([count, count]);

/** The pieces of a turn, by their word. */
const pieceForms: Readonly<Record<string, Form<Piece>>> = {
  say: form("must be the text that the model says", text, (words) => scenario.say(words)),
  think: form("must be the text that the model thinks", text, (words) => scenario.think(words)),
  pause: form("must be a number of milliseconds", milliseconds, scenario.slow),
  hang: form("must be true", v.literal(true), scenario.hang),
  readFile: action(
    "must be a path, or an object with path and lines: [first, last]",
    v.union([text, v.strictObject({ path: text, lines: v.exactOptional(lines) })]),
    (given) =>
      typeof given === "string" ? actions.readFile(given) : actions.readFile(given.path, given.lines),
  ),
  writeFile: action(
    "must be an object with path and content",
    v.strictObject({ path: text, content: text }),
    ({ path, content }) => actions.writeFile(path, content),
  ),
  editFile: action(
    "must be an object with path, oldText and newText",
    v.strictObject({ path: text, oldText: text, newText: text }),
    ({ path, oldText, newText }) => actions.editFile(path, oldText, newText),
  ),
  patch: action(
    "must be a list of changes with kind (add, update or delete) and path",
    v.array(change),
    (changes) => actions.patch(...changes),
  ),
  runCommand: action("must be a command", text, actions.runCommand),
  startCommand: action("must be a command", text, actions.startCommand),
  search: action(
    "must be a pattern, or an object with pattern and path",
    v.union([text, v.strictObject({ pattern: text, path: v.exactOptional(text) })]),
    (given) =>
      typeof given === "string" ? actions.search(given) : actions.search(given.pattern, given.path),
  ),
  findFiles: action("must be a glob, such as src/*.ts", text, actions.findFiles),
  listDirectory: action("must be a path", text, actions.listDirectory),
  delegate: action("must be an object with description and prompt", started, (given) =>
    actions.delegate(given.description, given.prompt),
  ),
  startSubagent: action("must be an object with description and prompt", started, (given) =>
    actions.startSubagent(given.description, given.prompt),
  ),
  useSkill: action("must be the name of a skill", text, actions.useSkill),
  todo: action(
    "must be a list of objects with text and status (pending, in_progress or completed)",
    v.array(item),
    (items) => actions.todo(...items),
  ),
  mcp: action(
    "must be an object with server, tool and input",
    v.strictObject({ server: text, tool: text, input: v.exactOptional(json) }),
    ({ server, tool, input }) => actions.mcp(server, tool, input),
  ),
  custom: action(
    "must be an object with tool and input",
    v.strictObject({ tool: text, input: v.union([text, json]) }),
    ({ tool, input }) => actions.custom(tool, input),
  ),
};

/** What can stand in place of a turn. */
const entryForms: Readonly<Record<string, Form<Entry>>> = {
  refusal: form("must be the text with which the model declines", text, scenario.refusal),
  httpError: form(
    "must be a status such as 500, or an object with status, message and times",
    v.union([
      v.pipe(count, v.minValue(400), v.maxValue(599)),
      v.strictObject({
        status: v.pipe(count, v.minValue(400), v.maxValue(599)),
        message: v.exactOptional(text),
        times: v.exactOptional(count),
      }),
    ]),
    (given) =>
      typeof given === "number"
        ? scenario.httpError(given)
        : scenario.httpError(given.status, given.message, given.times),
  ),
  rateLimited: form("must be the number of seconds to wait", v.pipe(v.number(), v.minValue(0)), (seconds) =>
    scenario.rateLimited(seconds),
  ),
};

const tokens = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const usage = v.strictObject({
  input: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  output: tokens,
  reasoning: tokens,
});
const usageRule = "must be an object with whole numbers: input, cacheRead, cacheWrite, output, reasoning";

const keys = ["prompt", "files", "turns", "subagents", "usage", "sideAnswer"];

/** Turns the content of a script file into a scenario. Throws a `ScriptProblem`. */
export function readScript(value: unknown): ScriptFile {
  if (!isObject(value)) throw new ScriptProblem("a script must be an object with turns", []);
  refuseUnknown(value, keys, []);
  const { turns, prompt, files, subagents, sideAnswer } = value;
  return {
    ...(prompt !== undefined && { prompt: take(text, prompt, "must be a text", ["prompt"]) }),
    files: files === undefined ? {} : toFiles(files),
    scenario: {
      turns: toEntries(turns, ["turns"]),
      ...(subagents !== undefined && { subagents: toSubagents(subagents) }),
      ...(value["usage"] !== undefined && { usage: take(usage, value["usage"], usageRule, ["usage"]) }),
      ...(sideAnswer !== undefined && {
        sideAnswer: take(text, sideAnswer, "must be a text", ["sideAnswer"]),
      }),
    },
  };
}

function take<Value>(
  schema: v.GenericSchema<unknown, Value>,
  value: unknown,
  rule: string,
  path: Path,
): Value {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw new ScriptProblem(`"${path.at(-1)}" ${rule}`, path);
}

function refuseUnknown(value: object, known: readonly string[], path: Path): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const message = `unknown key "${unknown}"${suggestFrom(unknown, known, "known here")}`;
  throw new ScriptProblem(message, [...path, unknown]);
}

function toFiles(value: unknown): Record<string, string> {
  const files = take(
    v.record(text, text),
    value,
    "must be an object: the content of each file, by its path",
    ["files"],
  );
  const outside = Object.keys(files).find((path) => /^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(path));
  if (outside === undefined) return files;
  throw new ScriptProblem(`"${outside}" must be a path inside the agent's directory`, ["files", outside]);
}

function toSubagents(value: unknown): scenario.SubagentScript[] {
  if (!Array.isArray(value))
    throw new ScriptProblem('"subagents" must be a list of objects with prompt and turns', ["subagents"]);
  return value.map((one: unknown, index) => {
    const path = ["subagents", String(index)];
    if (!isObject(one)) throw new ScriptProblem("a subagent must be an object with prompt and turns", path);
    refuseUnknown(one, ["prompt", "turns"], path);
    const prompt = take(text, one["prompt"], "must be a text: the subagent's prompt or a part of it", [
      ...path,
      "prompt",
    ]);
    return { prompt, turns: toEntries(one["turns"], [...path, "turns"]) };
  });
}

function toEntries(value: unknown, path: Path): Entry[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new ScriptProblem(
      '"turns" must be a list of what the model answers, such as [[{ "say": "Hello." }]]',
      path,
    );
  return value.map((entry: unknown, index) => toEntry(entry, [...path, String(index)]));
}

function toEntry(value: unknown, path: Path): Entry {
  if (Array.isArray(value)) return toPieces(value, path);
  if (!isObject(value))
    throw new ScriptProblem('a turn must be a list of pieces, such as [{ "say": "Hello." }]', path);
  if ("pieces" in value) return toTurn(value, path);
  const [word = ""] = Object.keys(value);
  const made = entryForms[word];
  return made === undefined ? [toPiece(value, path)] : makeBy(made, value, word, path);
}

function toTurn(value: Record<string, unknown>, path: Path): Entry {
  refuseUnknown(value, ["pieces", "usage", "stop"], path);
  const { pieces, stop } = value;
  if (!Array.isArray(pieces)) throw new ScriptProblem('"pieces" must be a list', [...path, "pieces"]);
  return scenario.turn(toPieces(pieces, [...path, "pieces"]), {
    ...(value["usage"] !== undefined && {
      usage: take(usage, value["usage"], usageRule, [...path, "usage"]),
    }),
    ...(stop !== undefined && {
      stop: take(v.picklist(["length", "refusal"]), stop, "must be length or refusal", [...path, "stop"]),
    }),
  });
}

function toPieces(values: readonly unknown[], path: Path): Piece[] {
  return values.map((value, index) => toPiece(value, [...path, String(index)]));
}

function toPiece(value: unknown, path: Path): Piece {
  const words = isObject(value) ? Object.keys(value) : [];
  const [word] = words;
  if (!isObject(value) || word === undefined || words.length > 1)
    throw new ScriptProblem(
      'a piece of a turn must be an object with one key, such as { "say": "Hello." }; several pieces are a list',
      path,
    );
  const made = pieceForms[word];
  if (made !== undefined) return makeBy(made, value, word, path);
  const known = [...Object.keys(pieceForms), ...Object.keys(entryForms)];
  throw new ScriptProblem(`unknown piece "${word}"${suggestFrom(word, known, "there are")}`, [...path, word]);
}

function makeBy<Made>(by: Form<Made>, value: Record<string, unknown>, word: string, path: Path): Made {
  refuseUnknown(value, [word], path);
  const made = by.make(value[word]);
  if (made === undefined) throw new ScriptProblem(`"${word}" ${by.rule}`, [...path, word]);
  return made;
}
