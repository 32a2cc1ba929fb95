import { createInterface, emitKeypressEvents, type Interface, type Key } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { cleanText } from "../../text/clean-text.js";
import { createPasteReader } from "./paste.js";

/** The line that is being typed. Node's readline edits it; it prints nothing. */
export interface Editor {
  readonly text: string;
  /** Where the cursor is, in UTF-16 units. */
  readonly cursor: number;
  /** What the terminal sent. */
  push(text: string): void;
  /** Replaces the line. The cursor goes to its end. */
  set(text: string): void;
  insert(text: string): void;
  /** Passes a key on to the line: letters, arrows, Ctrl-A, … */
  type(text: string | undefined, key: Key): void;
  /** Takes the line, and keeps it in the history. */
  take(): string;
  close(): void;
}

export interface EditorOptions {
  /** Newest first. */
  history: readonly string[];
  /** A key, before the line gets it: `type` passes it on. */
  onKey(text: string | undefined, key: Key): void;
  onPaste(text: string): void;
}

const historySize = 500;
/** How long the bytes after an escape may take, in milliseconds, before it counts as a key of its own. */
const escapeMs = 50;

/** `line` and `cursor` are documented, and read by everybody. Writing them is how a text with line feeds gets in. */
type Line = { -readonly [Key in "line" | "cursor"]: Interface[Key] };

export function createEditor({ history, onKey, onPaste }: EditorOptions): Editor {
  const pastes = createPasteReader();
  const bytes = new PassThrough();
  // It gets its keys from us, one by one, so that a key can mean something else while the agent asks.
  const readline = createInterface({
    input: new PassThrough(),
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: true,
    history: [...history],
    historySize,
    removeHistoryDuplicates: true,
    escapeCodeTimeout: escapeMs,
  });
  const line: Line = readline;
  let taken = "";
  readline.on("line", (text) => {
    taken = text;
  });
  emitKeypressEvents(bytes, readline);
  bytes.on("keypress", (text: string | undefined, key: Key) => onKey(text, key));

  function insert(text: string): void {
    line.line = line.line.slice(0, line.cursor) + text + line.line.slice(line.cursor);
    line.cursor += text.length;
  }

  return {
    get text() {
      return readline.line;
    },
    get cursor() {
      return readline.cursor;
    },
    push(text) {
      for (const input of pastes.push(text)) {
        if ("keys" in input) bytes.write(input.keys);
        else onPaste(cleanText(input.pasted.replace(/\r\n?/g, "\n")));
      }
    },
    set(text) {
      line.line = text;
      line.cursor = text.length;
    },
    insert,
    type: (text, key) => readline.write(text ?? "", key),
    take() {
      taken = "";
      readline.write(null, { name: "return" });
      return taken;
    },
    close: () => readline.close(),
  };
}
