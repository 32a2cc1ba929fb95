import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { BatchAbout, BatchRow, CellRow } from "../../../src/server/batch-protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount } from "../../../src/text/numbers.js";
import { cellSigns } from "../batches/batch-words.js";
import { toHash } from "../router.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import type { BatchSource } from "./batch-source.js";
import {
  type CellTable,
  type Direction,
  type GridLine,
  lineOf,
  moveInGrid,
  repeatsPerLine,
  toGridLines,
} from "./grid-model.js";

/** Heights and widths of the style sheet, in pixels. */
const lineHeight = 30;
const headHeight = 34;
const squareWidth = 22;
/** The pointer must rest on a square for this long, so that it can cross others on its way to the cell's details. */
const restMs = 90;

interface CellGridProps {
  source: BatchSource;
  about: BatchAbout;
  /** The id of the cell whose details are shown. */
  current: Signal<string | undefined>;
  /** The reader has chosen a cell with a key or a tap. */
  onChoose(id: string): void;
}

/** Tasks × arms, one square for each repetition. It fills while the batch runs. */
export function CellGrid({ source, about, current, onChoose }: CellGridProps) {
  const { row, arms } = about;
  const { table } = source.cells.value;
  const list = useRef<ListHandle>(null);
  const { tasks, arms: armCount, repeats } = row;
  const lines = useMemo(() => toGridLines({ tasks, arms: armCount, repeats }), [tasks, armCount, repeats]);
  const armWidth = Math.max(repeatsPerLine(row) * squareWidth + 14, ...arms.map(({ id }) => widthOfName(id)));
  const width = `calc(var(--task-width) + ${armCount * armWidth}px)`;
  useGridKeys({ about, table, current, list, onChoose });
  const pointer = usePointer({ table, current, onChoose });
  const height = lines.length * lineHeight + headHeight + 16;
  return (
    <div
      class="grid-frame"
      style={{
        height: `min(${height}px, var(--grid-height))`,
        "--arm-width": `${armWidth}px`,
        "--width": width,
      }}
      {...pointer}
    >
      <VirtualList
        rows={lines}
        label="Cells: use the arrow keys"
        class="cell-grid"
        keyOf={({ task, first }) => `${task} ${first}`}
        estimate={() => lineHeight}
        handle={list}
        headHeight={headHeight}
        head={
          <div class="grid-head">
            <span class="grid-task" />
            {arms.map(({ id }) => (
              <span key={id} class="grid-arm" title={id}>
                {toVisibleLine(id, 60)}
              </span>
            ))}
          </div>
        }
      >
        {(line) => <Line line={line} about={about} table={table} current={current.value} />}
      </VirtualList>
    </div>
  );
}

/** About as wide as the name of an arm is, up to a limit. */
function widthOfName(name: string): number {
  return Math.min(200, name.length * 8 + 16);
}

interface LineProps {
  line: GridLine;
  about: BatchAbout;
  table: CellTable;
  current: string | undefined;
}

function Line({ line: { task, first, count }, about, table, current }: LineProps) {
  const name = about.tasks[task]?.id ?? "";
  const isFirst = first === 1;
  return (
    <div class={`grid-line${isFirst ? " first" : ""}`}>
      <span class="grid-task" title={isFirst ? about.tasks[task]?.prompt : undefined}>
        {isFirst ? (
          toVisibleLine(name, 60)
        ) : (
          <small class="grid-repeats">{`${first}–${first + count - 1}`}</small>
        )}
      </span>
      {about.arms.map((arm, index) => (
        <span key={arm.id} class="grid-arm">
          {Array.from({ length: count }, (_, offset) => {
            const cell = table.at({ task, arm: index, repetition: first + offset });
            if (cell === undefined) return <span key={offset} class="square unknown" />;
            return <Square key={offset} cell={cell} about={about} isCurrent={cell.id === current} />;
          })}
        </span>
      ))}
    </div>
  );
}

function Square({ cell, about, isCurrent }: { cell: CellRow; about: BatchAbout; isCurrent: boolean }) {
  const { id, sign } = cell;
  const common = {
    class: `square ${sign}${isCurrent ? " current" : ""}`,
    "data-cell": id,
    tabIndex: -1,
    "aria-label": describeCell(cell, about),
    "aria-current": isCurrent ? ("true" as const) : undefined,
  };
  const run = runToOpen(cell);
  if (run === undefined) return <button type="button" {...common} />;
  return <a {...common} href={toHash({ page: "run", id: run, tab: "timeline" })} />;
}

export function describeCell({ task, arm, repetition, sign }: CellRow, about: BatchAbout): string {
  const names = [about.tasks[task]?.id, about.arms[arm]?.id].map((name) => toVisibleLine(name ?? "", 60));
  const number = about.row.repeats > 1 ? `, ${repetition} of ${about.row.repeats}` : "";
  return `${names.join(", ")}${number}: ${sign}`;
}

/** The run of a cell that can be opened. The recording of a run on another machine comes when the run has ended. */
export function runToOpen({ runId, sign, worker }: CellRow): string | undefined {
  return worker !== undefined && (sign === "running" || sign === "retrying") ? undefined : runId;
}

interface Choosing {
  table: CellTable;
  current: Signal<string | undefined>;
  onChoose(id: string): void;
}

/** A mouse that rests on a square shows its cell. With a finger, the first tap shows the cell and the second opens its run. */
function usePointer({ table, current, onChoose }: Choosing) {
  const timer = useRef(0);
  const isTouch = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const idOf = ({ target }: Event): string | undefined =>
    target instanceof HTMLElement ? target.dataset["cell"] : undefined;
  return {
    onPointerDown(event: PointerEvent) {
      isTouch.current = event.pointerType === "touch";
    },
    onPointerOver(event: PointerEvent) {
      clearTimeout(timer.current);
      const id = idOf(event);
      if (id === undefined || event.pointerType === "touch") return;
      timer.current = window.setTimeout(() => {
        current.value = id;
      }, restMs);
    },
    onClick(event: MouseEvent) {
      const id = idOf(event);
      const cell = id === undefined ? undefined : table.get(id);
      if (cell === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const isOpened = runToOpen(cell) !== undefined && (!isTouch.current || cell.id === current.value);
      if (!isOpened) event.preventDefault();
      // The step back from the run leads to this cell.
      onChoose(cell.id);
    },
  };
}

const directions: ReadonlySet<string> = new Set<Direction>([
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
]);

interface GridKeys extends Choosing {
  about: BatchAbout;
  list: { current: ListHandle | null };
}

/** The arrow keys move through the squares, unless something else on the page has the focus. Enter is the link's own. */
function useGridKeys(props: GridKeys): void {
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { about, table, current, list, onChoose } = latest.current;
      const grid = list.current?.element;
      if (!isDirection(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (event.target !== document.body && !(event.target instanceof Node && grid?.contains(event.target)))
        return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      const from = current.value === undefined ? undefined : table.get(current.value);
      const start = { task: 0, arm: 0, repetition: 1 };
      const next = table.at(from === undefined ? start : moveInGrid(from, event.key, about.row));
      if (next === undefined) return;
      list.current?.scrollTo(lineOf(next, about.row));
      onChoose(next.id);
      if (grid) focusSquare(grid, next.id);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

/** A square that was scrolled to is in the document only some frames later. */
function focusSquare(grid: HTMLElement, id: string, tries = 10): void {
  const square = grid.querySelector<HTMLElement>(`[data-cell="${CSS.escape(id)}"]`);
  square?.focus({ preventScroll: true });
  square?.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (square === null && tries > 0) requestAnimationFrame(() => focusSquare(grid, id, tries - 1));
}

function isDirection(key: string): key is Direction {
  return directions.has(key);
}

/** What the shapes and colours mean, with how many cells there are of each. */
export function Legend({ row: { counts } }: { row: BatchRow }) {
  return (
    <ul class="legend" aria-label="Cells">
      {cellSigns.map((sign) => (
        <li key={sign} class={counts[sign] === 0 ? "none" : ""}>
          <span class={`square ${sign}`} aria-hidden="true" /> {sign} <b>{formatCount(counts[sign])}</b>
        </li>
      ))}
    </ul>
  );
}
