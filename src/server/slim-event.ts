import type { HarnessEvent } from "../events/event.js";
import { cutText } from "../text/cut.js";
import type { JsonObject, JsonValue } from "../text/json.js";
import { toJson } from "../text/to-json.js";

/** Longer texts are sent without their middle. */
const longestText = 6_000;
/** Structures whose JSON is still longer after that are sent as the beginning and the end of their JSON. */
const longestValue = 24_000;
const deepest = 40;
/** The JSON of a structure with this many values is certainly too long. */
const mostValues = longestValue;

interface Cut {
  isCut: boolean;
  /** How many more values may be visited. */
  left: number;
}

export interface SlimEvent {
  event: HarnessEvent;
  isCut: boolean;
}

/** Cuts the contents of an event, so that it is quick to send and small to keep. */
export function slimEvent(event: HarnessEvent): SlimEvent {
  switch (event.type) {
    case "tool_start":
      return event.input === undefined
        ? whole(event)
        : withValue(event.input, (input) => ({ ...event, input }));
    case "tool_end":
      return event.output === undefined
        ? whole(event)
        : withValue(event.output, (output) => ({ ...event, output }));
    case "unknown":
      return withValue(event.raw, (raw) => ({ ...event, raw }));
    case "agent":
    case "error":
    case "warning":
      return withText(event.message, (message) => ({ ...event, message }));
    case "text":
      return withText(event.delta, (delta) => ({ ...event, delta }));
    case "thinking":
      return event.message === undefined
        ? withText(event.delta ?? "", (delta) => ({ ...event, delta }))
        : withText(event.message, (message) => ({ ...event, message }));
    case "command":
      return withText(event.command, (command) => ({ ...event, command }));
    case "turn":
      return event.prompt === undefined
        ? whole(event)
        : withText(event.prompt, (prompt) => ({ ...event, prompt }));
    case "request":
      return withRequest(event);
    case "result":
    case "turn_end":
      return event.text === undefined ? whole(event) : withText(event.text, (text) => ({ ...event, text }));
    case "edits":
      return withEdits(event);
    default:
      return whole(event);
  }
}

function whole(event: HarnessEvent): SlimEvent {
  return { event, isCut: false };
}

function withText(text: string, rebuild: (text: string) => HarnessEvent): SlimEvent {
  const isCut = text.length > longestText * 4;
  return { event: rebuild(isCut ? shorten(text, longestText * 4) : text), isCut };
}

function withValue(value: JsonValue, rebuild: (value: JsonValue) => HarnessEvent): SlimEvent {
  const cut: Cut = { isCut: false, left: mostValues };
  const slim = slimValue(value, 0, cut);
  const json = toJson(cut.left > 0 ? slim : value);
  if (json.length <= longestValue) return { event: rebuild(slim), isCut: cut.isCut };
  return { event: rebuild(shorten(json, longestText)), isCut: true };
}

function slimValue(value: JsonValue, depth: number, cut: Cut): JsonValue {
  cut.left -= 1;
  // The structure is too long to be sent as it is.
  if (cut.left <= 0) return null;
  if (typeof value === "string") {
    if (value.length <= longestText) return value;
    cut.isCut = true;
    return shorten(value, longestText);
  }
  if (typeof value !== "object" || value === null || value instanceof Number) return value;
  if (depth > deepest) {
    cut.isCut = true;
    return "…";
  }
  if (Array.isArray(value)) return slimItems(value, depth, cut);
  return slimFields(value, depth, cut);
}

function slimItems(items: readonly JsonValue[], depth: number, cut: Cut): JsonValue[] {
  const slim: JsonValue[] = [];
  for (const item of items) {
    if (cut.left <= 0) break;
    slim.push(slimValue(item, depth + 1, cut));
  }
  return slim;
}

function slimFields(fields: JsonObject, depth: number, cut: Cut): JsonObject {
  const slim: [string, JsonValue][] = [];
  for (const name in fields) {
    if (cut.left <= 0) break;
    slim.push([name, slimValue(fields[name] ?? null, depth + 1, cut)]);
  }
  return Object.fromEntries(slim);
}

/** The input is the large part of a request: a file to write, a patch. */
function withRequest(event: Extract<HarnessEvent, { type: "request" }>): SlimEvent {
  const { input, message = "" } = event;
  const isLong = message.length > longestText * 4;
  const short = isLong ? { ...event, message: shorten(message, longestText * 4) } : event;
  if (input === undefined) return { event: short, isCut: isLong };
  const slim = withValue(input, (value) => ({ ...short, input: value }));
  return { event: slim.event, isCut: slim.isCut || isLong };
}

function withEdits(event: Extract<HarnessEvent, { type: "edits" }>): SlimEvent {
  const isCut = event.edits.some(({ replacement }) => replacement.length > longestText);
  if (!isCut) return whole(event);
  const edits = event.edits.map((edit) => ({ ...edit, replacement: shorten(edit.replacement, longestText) }));
  return { event: { ...event, edits }, isCut };
}

function shorten(text: string, maxCharacters: number): string {
  const { head, tail, omitted } = cutText(text, maxCharacters);
  return omitted === 0 ? text : `${head}\n… ${omitted} characters …\n${tail}`;
}
