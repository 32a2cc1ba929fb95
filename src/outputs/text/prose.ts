import { createTextCleaner } from "../../text/clean-text.js";
import type { Line, Style } from "./line.js";
import type { BlockKind, Page } from "./page.js";
import { widthOf } from "./width.js";
import { createWrapper } from "./wrap.js";

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

/** How the rows of a block look. */
export interface ProseLook {
  style?: Style;
  /** At the beginning of every row. */
  prefix?: string;
}

export function createProse(page: Page, kind: BlockKind, { style, prefix = "" }: ProseLook = {}): Prose {
  const columns = (): number => page.columns - widthOf(prefix);
  const toLine = (row: string): Line => [{ text: prefix + row, style }];
  const wrapper = createWrapper(columns());
  let cleaner = createTextCleaner();
  let isShown = false;
  let isNew = true;
  let emptyRows = 0;

  function show(rows: readonly string[]): void {
    for (const row of rows) {
      if (row === "") {
        emptyRows += 1;
        continue;
      }
      prepare();
      page.row(toLine(row));
    }
  }

  /** Empty rows are shown only between rows of the same message, at most two at a time. */
  function prepare(): void {
    if (isNew) page.beginNew(kind);
    else page.begin(kind);
    if (isShown)
      for (let count = 0; count < Math.min(emptyRows, 2); count += 1)
        page.row(toLine("").filter(({ text }) => text !== ""));
    isNew = false;
    isShown = true;
    emptyRows = 0;
  }

  function pause(): void {
    show(wrapper.end());
    isShown = false;
  }

  return {
    write(piece) {
      show(wrapper.push(cleaner.push(piece)));
      if (wrapper.open.trim() !== "") prepare();
    },
    pause,
    end() {
      show(wrapper.push(cleaner.end()));
      pause();
      cleaner = createTextCleaner();
      isNew = true;
    },
    get open() {
      return wrapper.open.trim() === "" ? undefined : toLine(wrapper.open);
    },
    resize: () => show(wrapper.resize(columns())),
  };
}
