import { performance } from "node:perf_hooks";
import type { Key } from "node:readline";
import type { Chat } from "./chat.js";
import { createEditor, type Editor } from "./editor.js";
import type { ChatHistory } from "./history.js";
import { createHistorySearch, type HistorySearch } from "./history-search.js";

/** What keys do in a chat. */
export interface TerminalKeys {
  readonly editor: Editor;
  readonly search: HistorySearch;
  /** True while keys do not answer yet: they belong to the line that was being typed when a request appeared. */
  readonly isGuarded: boolean;
  /** A request is asked now: the half-typed line makes room, and comes back when nothing is asked. */
  asked(): void;
  /** The requests may have been answered. */
  settled(): void;
}

export interface TerminalKeysOptions {
  chat(): Chat;
  history: ChatHistory;
  redraw(): void;
  wipe(): void;
  /** Ctrl-Z. */
  suspend(): void;
}

/** Whoever types when a request appears does not mean it: keys count again after a pause of this length. */
const pauseMs = 700;

interface KeysState {
  readonly options: TerminalKeysOptions;
  readonly editor: Editor;
  readonly search: HistorySearch;
  /** The line that was being typed when a request appeared. */
  kept: string;
  keyAt: number;
  isGuarded: boolean;
}

export function createTerminalKeys(options: TerminalKeysOptions): TerminalKeys {
  const editor = createEditor({
    history: options.history.entries,
    onKey(text, key) {
      press(state, text, key);
      options.redraw();
    },
    onPaste(text) {
      const { desk } = options.chat();
      options.chat().typed();
      // A text is not an answer to yes or no.
      if (desk.asked !== undefined && desk.phase === "choose") return;
      editor.insert(text);
      options.redraw();
    },
  });
  const search = createHistorySearch(() => options.history.entries);
  const state: KeysState = {
    options,
    editor,
    search,
    kept: "",
    keyAt: Number.NEGATIVE_INFINITY,
    isGuarded: false,
  };
  return {
    editor,
    search,
    get isGuarded() {
      return isGuarded(state);
    },
    asked() {
      if (search.query !== undefined) search.key(undefined, { name: "escape" });
      state.kept += editor.text;
      editor.set("");
      state.isGuarded = performance.now() - state.keyAt < pauseMs;
    },
    settled() {
      if (state.kept === "" || options.chat().desk.asked !== undefined) return;
      editor.set(state.kept);
      state.kept = "";
    },
  };
}

/** What Ctrl does with a key. False: the line gets it. */
const controls: Readonly<Record<string, (state: KeysState) => boolean>> = {
  c({ editor, options }) {
    if (editor.text === "") options.chat().interrupt();
    else {
      editor.set("");
      options.chat().typed();
    }
    return true;
  },
  d({ editor, options }) {
    if (editor.text !== "") return false;
    options.chat().leave();
    return true;
  },
  r({ search, options }) {
    if (options.chat().desk.asked === undefined) search.next();
    return true;
  },
  l({ options }) {
    options.wipe();
    return true;
  },
  z({ options }) {
    options.suspend();
    return true;
  },
};

function press(state: KeysState, text: string | undefined, key: Key): void {
  const { options, editor } = state;
  const control = key.ctrl && key.name !== undefined ? controls[key.name] : undefined;
  if (state.search.query !== undefined && control !== controls["r"]) return look(state, text, key);
  if (control !== controls["c"]) options.chat().typed();
  if (control?.(state)) return;
  if (isTypedAhead(state)) {
    // It belongs to the line that was being typed.
    if (!key.ctrl && !key.meta) state.kept += toText(text);
    return;
  }
  const { desk } = options.chat();
  const isChoice = desk.asked !== undefined && desk.phase === "choose" && editor.text === "";
  if (key.name === "tab") return;
  if (key.name === "escape") desk.back();
  // Commands can be typed while the agent asks.
  else if (isChoice && text !== "/") desk.key((text ?? "").toLowerCase());
  else if (key.name === "return" || key.name === "enter") enter(state, key);
  else editor.type(text, key);
}

/** True while keys were meant for the line that was being typed when a request appeared. */
function isTypedAhead(state: KeysState): boolean {
  state.isGuarded = isGuarded(state);
  state.keyAt = performance.now();
  return state.isGuarded;
}

function isGuarded({ isGuarded: was, keyAt }: KeysState): boolean {
  return was && performance.now() - keyAt < pauseMs;
}

/** A key while an earlier prompt is looked for. */
function look({ search, editor }: KeysState, text: string | undefined, key: Key): void {
  const { found } = search;
  if (search.key(text, key) === "taken" && found !== "") editor.set(found);
}

function enter(state: KeysState, key: Key): void {
  const { options, editor } = state;
  const { text, cursor } = editor;
  if (key.meta) return editor.insert("\n");
  if (text[cursor - 1] === "\\") {
    editor.type(undefined, { name: "backspace" });
    return editor.insert("\n");
  }
  // Answers are not prompts: they are not kept.
  if (options.chat().desk.asked !== undefined && !text.startsWith("/")) editor.set("");
  else {
    editor.take();
    options.history.add(text);
  }
  // What is asked because of this line is not typed ahead.
  state.keyAt = Number.NEGATIVE_INFINITY;
  options.chat().submit(text);
}

/** Letters, and nothing of what keys such as the arrows send. */
function toText(text: string | undefined): string {
  return text === undefined || /[\u0000-\u001f\u007f]/.test(text) ? "" : text;
}
