import { useMemo, useState } from "preact/hooks";
import { colourJson, parseStructure } from "../../../src/outputs/html/json-view.js";
import { findDiffs } from "../../../src/story/find-diffs.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { cutText } from "../../../src/text/cut.js";
import type { JsonValue } from "../../../src/text/json.js";
import { formatCount } from "../../../src/text/numbers.js";
import { toJsonText, toPrettyJson } from "../../../src/text/to-json.js";
import { copy } from "../ui/copy.js";
import { Html } from "../ui/html.js";

type ViewName = "Diff" | "Text" | "JSON";

const longestShown = 40_000;
const longestWhole = 4_000_000;

/** The input or output of a tool as a diff, as text or as JSON. The most useful view comes first. */
export function ValueView({ title, value }: { title: string; value: JsonValue }) {
  const diffs = useMemo(() => findDiffs(value), [value]);
  const structure = useMemo(() => (typeof value === "string" ? parseStructure(value) : value), [value]);
  const names = viewsOf(value, diffs, structure);
  const [chosen, setChosen] = useState<ViewName | undefined>(undefined);
  const [isWhole, setWhole] = useState(false);
  const name = names.find((each) => each === chosen) ?? names[0] ?? "Text";
  const limit = isWhole ? longestWhole : longestShown;
  return (
    <section class="value">
      <header>
        <h2>{title}</h2>
        <fieldset class="views" aria-label={`View of ${title.toLowerCase()}`}>
          {names.length > 1 &&
            names.map((each) => (
              <button key={each} type="button" aria-pressed={each === name} onClick={() => setChosen(each)}>
                {each}
              </button>
            ))}
          <button type="button" class="quiet" onClick={() => void copy(toJsonText(value), title)}>
            Copy
          </button>
        </fieldset>
      </header>
      {name === "Diff" &&
        diffs.map((diff) => <Diff key={diff} text={diff} limit={limit} onMore={() => setWhole(true)} />)}
      {name === "JSON" && (
        <Cut text={toPrettyJson(structure ?? value)} limit={limit} onMore={() => setWhole(true)} isJson />
      )}
      {name === "Text" && <TextOf value={value} limit={limit} onMore={() => setWhole(true)} />}
    </section>
  );
}

function viewsOf(value: JsonValue, diffs: readonly string[], structure: unknown): ViewName[] {
  const views: ViewName[] = diffs.length > 0 ? ["Diff"] : [];
  const isPlain = typeof value === "string" && structure === undefined;
  const isFields = isObject(value);
  if (isPlain) return [...views, "Text"];
  return isFields || typeof value !== "object" ? [...views, "Text", "JSON"] : [...views, "JSON"];
}

function isObject(value: JsonValue): value is { [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}

interface CutProps {
  text: string;
  limit: number;
  onMore(): void;
  isJson?: boolean;
}

function Cut({ text, limit, onMore, isJson = false }: CutProps) {
  if (text === "") return <p class="dim">empty</p>;
  const { head, tail, omitted } = cutText(text, limit);
  const part = (words: string) =>
    isJson ? <Html class="json-part" markup={colourJson(words)} /> : cleanText(words);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre dir="auto" tabIndex={0} class={isJson ? "json" : ""}>
      {part(head)}
      {omitted > 0 && (
        <button type="button" class="omission" onClick={onMore}>
          {formatCount(omitted)} characters left out: show more
        </button>
      )}
      {tail !== "" && part(tail)}
    </pre>
  );
}

function TextOf({ value, limit, onMore }: { value: JsonValue; limit: number; onMore(): void }) {
  if (!isObject(value)) return <Cut text={toJsonText(value)} limit={limit} onMore={onMore} />;
  const names = Object.keys(value);
  if (names.length === 0) return <p class="dim">empty</p>;
  return (
    <dl class="fields">
      {names.map((name) => (
        <div key={name}>
          <dt>{cleanText(name).slice(0, 80)}</dt>
          <dd>
            <Field value={value[name] ?? null} limit={limit} onMore={onMore} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Field({ value, limit, onMore }: { value: JsonValue; limit: number; onMore(): void }) {
  if (typeof value === "object" && value !== null && !(value instanceof Number))
    return <Cut text={toPrettyJson(value)} limit={limit} onMore={onMore} isJson />;
  const text = String(value);
  if (text.length > 100 || text.includes("\n")) return <Cut text={text} limit={limit} onMore={onMore} />;
  return <code dir="auto">{cleanText(text)}</code>;
}

const lineKinds: Record<string, string> = { "+": "added", "-": "removed", "@": "place", "*": "place" };

function Diff({ text, limit, onMore }: Omit<CutProps, "isJson">) {
  const { head, tail, omitted } = cutText(text, limit);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class="diff" tabIndex={0}>
      <DiffLines text={head} />
      {omitted > 0 && (
        <button type="button" class="omission" onClick={onMore}>
          {formatCount(omitted)} characters left out: show more
        </button>
      )}
      {tail !== "" && <DiffLines text={tail} />}
    </pre>
  );
}

function DiffLines({ text }: { text: string }) {
  return (
    <>
      {text
        .replace(/\n$/, "")
        .split("\n")
        .map((line, index) => (
          <span key={index} class={`line ${lineKinds[line.charAt(0)] ?? "same"}`}>
            {cleanText(line) || " "}
          </span>
        ))}
    </>
  );
}
