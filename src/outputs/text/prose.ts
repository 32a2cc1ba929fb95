import { createTextCleaner } from "../../text/clean-text.js";
import type { Line } from "./line.js";
import type { BlockKind, Page } from "./page.js";
import type { CreateRowMaker } from "./row-maker.js";

/** Text of the main agent, shown as it streams. */
export interface Prose {
  write(piece: string): void;
  /** The message is complete: another one follows. */
  end(): void;
  /** Other rows are about to be shown: the row that is being written is finished as it is. */
  pause(): void;
  /** The row that is being written. */
  readonly open: Line | undefined;
  resize(): void;
}

/** `prefix`: what the maker begins every row with. Empty rows between others have it as well. */
export function createProse(page: Page, kind: BlockKind, createRows: CreateRowMaker, prefix?: Line): Prose {
  let maker = createRows(page.columns);
  let cleaner = createTextCleaner();
  let isShown = false;
  let isNew = true;
  let emptyRows = 0;

  function show(rows: readonly Line[]): void {
    for (const row of rows) {
      if (row.length === 0) {
        emptyRows += 1;
        continue;
      }
      prepare();
      page.row(row);
    }
  }

  /** Empty rows are shown only between rows of the same message, at most two at a time. */
  function prepare(): void {
    if (isNew) page.beginNew(kind);
    else page.begin(kind);
    if (isShown) for (let count = 0; count < Math.min(emptyRows, 2); count += 1) page.row(prefix ?? []);
    isNew = false;
    isShown = true;
    emptyRows = 0;
  }

  function pause(): void {
    show(maker.end());
    isShown = false;
  }

  return {
    write(piece) {
      show(maker.push(cleaner.push(piece)));
      if (maker.open !== undefined) prepare();
    },
    pause,
    end() {
      show(maker.push(cleaner.end()));
      pause();
      cleaner = createTextCleaner();
      maker = createRows(page.columns);
      isNew = true;
    },
    get open() {
      return maker.open;
    },
    resize: () => show(maker.resize(page.columns)),
  };
}
