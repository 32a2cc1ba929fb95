import type { CellRow } from "../../../src/server/batch-protocol.js";

/** How many tasks, arms and repetitions a grid has. */
interface GridSize {
  tasks: number;
  arms: number;
  repeats: number;
}

/** A line of squares: some repetitions of one task, for every arm. */
export interface GridLine {
  task: number;
  /** The first repetition, from 1, and how many follow. */
  first: number;
  count: number;
}

/** A place in the grid. `repetition` is from 1. */
export interface GridPlace {
  task: number;
  arm: number;
  repetition: number;
}

const mostPerArm = 10;
/** A line has at most about this many squares, because all squares of the visible lines are in the document. */
const mostPerLine = 300;

/** Tasks with many repetitions take several lines, so that only the visible squares are in the document. */
export function toGridLines({ tasks, arms, repeats }: GridSize): GridLine[] {
  const perLine = repeatsPerLine({ tasks, arms, repeats });
  const lines: GridLine[] = [];
  for (let task = 0; task < tasks; task += 1)
    for (let first = 1; first <= repeats; first += perLine)
      lines.push({ task, first, count: Math.min(perLine, repeats - first + 1) });
  return lines;
}

export function repeatsPerLine({ arms, repeats }: GridSize): number {
  return Math.max(1, Math.min(repeats, mostPerArm, Math.floor(mostPerLine / Math.max(1, arms))));
}

export function lineOf({ task, repetition }: GridPlace, size: GridSize): number {
  const perLine = repeatsPerLine(size);
  return task * Math.ceil(size.repeats / perLine) + Math.floor((repetition - 1) / perLine);
}

export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";

/** The place that a key leads to. Left and right go through the squares of a line, arm by arm. */
export function moveInGrid(from: GridPlace, key: Direction, size: GridSize): GridPlace {
  const perLine = repeatsPerLine(size);
  const lines = toGridLines(size);
  const at = lineOf(from, size);
  const line = lines[at];
  if (line === undefined) return from;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const next = lines[at + (key === "ArrowUp" ? -1 : 1)];
    if (next === undefined) return from;
    const offset = Math.min((from.repetition - 1) % perLine, next.count - 1);
    return { task: next.task, arm: from.arm, repetition: next.first + offset };
  }
  const squares = size.arms * line.count;
  const column = from.arm * line.count + (from.repetition - line.first);
  const steps: Record<string, number> = {
    ArrowLeft: column - 1,
    ArrowRight: column + 1,
    Home: 0,
    End: squares - 1,
  };
  const wanted = Math.max(0, Math.min(squares - 1, steps[key] ?? column));
  return {
    task: from.task,
    arm: Math.floor(wanted / line.count),
    repetition: line.first + (wanted % line.count),
  };
}

/** The cells of a batch by their place and by their id. */
export interface CellTable {
  at(place: GridPlace): CellRow | undefined;
  get(id: string): CellRow | undefined;
  put(cells: readonly CellRow[]): void;
  all(): Iterable<CellRow>;
}

export function createCellTable({ arms, repeats }: GridSize): CellTable {
  const byPlace: (CellRow | undefined)[] = [];
  const byId = new Map<string, CellRow>();
  const indexOf = ({ task, arm, repetition }: GridPlace): number =>
    (task * arms + arm) * repeats + repetition - 1;
  return {
    at: (place) => byPlace[indexOf(place)],
    get: (id) => byId.get(id),
    put(cells) {
      for (const cell of cells) {
        byPlace[indexOf(cell)] = cell;
        byId.set(cell.id, cell);
      }
    },
    all: () => byId.values(),
  };
}
