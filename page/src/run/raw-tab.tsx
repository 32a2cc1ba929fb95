import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { colourJson, parseStructure } from "../../../src/outputs/html/json-view.js";
import type { RawLine } from "../../../src/server/protocol.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { formatBytes, formatCount } from "../../../src/text/numbers.js";
import { toPrettyJson } from "../../../src/text/to-json.js";
import type { RunSource } from "../model/run-source.js";
import { go, replace, toHash } from "../router.js";
import { Html } from "../ui/html.js";
import { moveKeys, useKeys } from "../ui/keys.js";
import { say } from "../ui/toast.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import { RawToolbar, type RawToolbarHandle } from "./raw-toolbar.js";
import type { ViewState } from "./view-state.js";

const pageSize = 200;

/** Lines by page. A page is fetched when it comes into sight. */
function createLineCache(source: RunSource, onChange: () => void) {
  const pages = new Map<number, RawLine[] | "asked">();
  return {
    get(line: number): RawLine | undefined {
      const page = Math.floor((line - 1) / pageSize);
      const known = pages.get(page);
      if (known === undefined) ask(page);
      const lines = known === "asked" || known === undefined ? undefined : known;
      const found = lines?.[(line - 1) % pageSize];
      // A page that was not full when it was read may have more lines by now.
      if (found === undefined && lines !== undefined && lines.length < pageSize) ask(page);
      return found;
    },
  };

  function ask(page: number): void {
    const before = pages.get(page);
    if (before === undefined) pages.set(page, "asked");
    source.readRaw(page * pageSize + 1, pageSize).then(
      ({ lines }) => {
        if (Array.isArray(before) && before.length === lines.length) return;
        pages.set(page, lines);
        onChange();
      },
      (error: Error) => say(error.message, true),
    );
  }
}

/** The agent's native output, line by line, and what became of each line. */
export function RawTab({ view, target }: { view: ViewState; target: number | undefined }) {
  const { source } = view;
  const { model, id } = source;
  const list = useRef<ListHandle>(null);
  const toolbar = useRef<RawToolbarHandle>(null);
  const [isPretty, setPretty] = useState(false);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const cache = useMemo(() => createLineCache(source, () => draw(0)), [source]);
  model.version.value;
  const total = model.lines;
  const numbers = useMemo(() => Array.from({ length: total }, (_, index) => index + 1), [total]);
  const isThere = target !== undefined && target <= total;
  const isKnown = isThere && cache.get(target) !== undefined;
  // Rows are higher than estimated: a line far away may take several frames to come into sight, and its contents move it.
  useEffect(() => {
    if (!isThere || target === undefined) return;
    let tries = 30;
    let frame = requestAnimationFrame(function show() {
      list.current?.scrollTo(target - 1, "center");
      tries -= 1;
      const isShown = list.current?.element?.querySelector(`[data-line="${target}"]`) != null;
      if (!isShown && tries > 0) frame = requestAnimationFrame(show);
    });
    return () => cancelAnimationFrame(frame);
  }, [isThere, isKnown, target]);

  function moveTo(line: number): void {
    const place = Math.max(1, Math.min(total, line));
    replace({ page: "run", id, tab: "raw", line: place });
    list.current?.scrollTo(place - 1);
  }
  const at = target ?? 0;
  const toEvent = (): void => {
    const event = target === undefined ? undefined : model.firstOfLine(target);
    if (event !== undefined) go({ page: "run", id, tab: "timeline", event });
  };
  useKeys({
    ...moveKeys(moveTo, { at, first: 1, last: total }),
    r: toEvent,
    Enter: toEvent,
    v: () => setPretty(!isPretty),
    "/": () => toolbar.current?.search(),
    ":": () => toolbar.current?.goToLine(),
    n: () => toolbar.current?.next(),
  });
  return (
    <div class="raw-tab">
      <RawToolbar
        source={source}
        at={at}
        total={total}
        isPretty={isPretty}
        onPretty={setPretty}
        onLine={moveTo}
        handle={toolbar}
      />
      <VirtualList
        rows={numbers}
        label="Raw lines"
        class="raw"
        keyOf={(line) => line}
        estimate={() => 46}
        handle={list}
        empty={<p class="empty">Nothing was printed.</p>}
      >
        {(line) => (
          <RawRow
            key={`${line} ${isPretty}`}
            line={line}
            record={cache.get(line)}
            source={source}
            isCurrent={line === target}
            startsPretty={isPretty}
          />
        )}
      </VirtualList>
    </div>
  );
}

interface RawRowProps {
  line: number;
  record: RawLine | undefined;
  source: RunSource;
  isCurrent: boolean;
  startsPretty: boolean;
}

/** What each stream is. Lines without an arrow are what the processes printed, and how they ended. */
const streamWords: Record<RawLine["stream"], string> = {
  stdout: "The agent printed this on standard output",
  stderr: "The agent printed this on standard error",
  received: "The agent sent this over its own connection",
  stored: "A line of the session that the agent keeps on disk",
  sent: "harness sent this to the agent",
  harness: "A notice of harness itself",
  process: "One of several processes has ended",
  changes: "harness compared the files with those at the start",
  exit: "The run has ended",
  damaged: "The recording is damaged here",
};

function RawRow({ line, record, source, isCurrent, startsPretty }: RawRowProps) {
  const [whole, setWhole] = useState<string | undefined>(undefined);
  const [isPretty, setPretty] = useState(startsPretty);
  const { model, id } = source;
  const event = model.firstOfLine(line);
  const rule = model.consumed.get(line);
  const stream = record?.stream ?? "";
  const showWhole = (): void => {
    source.readRawWhole(line).then(setWhole, (error: Error) => say(error.message, true));
  };
  const isCut = record?.isCut === true && whole === undefined;
  const text = whole ?? record?.text ?? "…";
  const structure = isCut || text.length > longestPretty ? undefined : parseStructure(text);
  return (
    <article class={`raw-line ${stream}${isCurrent ? " current" : ""}`} data-line={line}>
      <a class="line-number" href={toHash({ page: "run", id, tab: "raw", line })} aria-label={`Line ${line}`}>
        {line}
      </a>
      <div class="raw-body">
        <p class="raw-about">
          <span class={`stream ${stream}`} title={record && streamWords[record.stream]}>
            {stream === "sent" ? "→ sent" : stream === "received" ? "← received" : stream}
          </span>
          {event === undefined ? (
            <span class="dim">{rule === undefined ? "" : `no event: ${rule}`}</span>
          ) : (
            <a href={toHash({ page: "run", id, tab: "timeline", event })} title="Show its event (r)">
              {model.events[event]?.type} {event}
            </a>
          )}
          {record?.isBinary === true && <span class="dim">not valid UTF-8</span>}
          {isCut && (
            <button type="button" class="link" onClick={showWhole}>
              show all {formatBytes(record?.size ?? 0)}
            </button>
          )}
          {structure !== undefined && (
            <button type="button" class="link" onClick={() => setPretty(!isPretty)}>
              {isPretty ? "as it is" : "pretty"}
            </button>
          )}
        </p>
        {isPretty && structure !== undefined ? (
          <pre class="json">
            <Html as="span" markup={colourJson(toPrettyJson(structure))} />
          </pre>
        ) : (
          <pre dir="auto">{cleanText(text).slice(0, longestWhole)}</pre>
        )}
        {(whole?.length ?? 0) > longestWhole && (
          <p class="dim">The first {formatCount(longestWhole)} characters are shown.</p>
        )}
      </div>
    </article>
  );
}

const longestWhole = 500_000;
const longestPretty = 200_000;
