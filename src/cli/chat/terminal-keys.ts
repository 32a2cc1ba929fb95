import { performance } from "node:perf_hooks";
import type { Key } from "node:readline";
import type { Chat } from "./chat.js";
import { createEditor, type Editor } from "./editor.js";
import type { ChatHistory } from "./history.js";

/** What keys do in a chat. */
export interface TerminalKeys {
  readonly editor: Editor;
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

export function createTerminalKeys(options: TerminalKeysOptions): TerminalKeys {
  const { history, redraw } = options;
  let kept: string | undefined;
  let keyAt = Number.NEGATIVE_INFINITY;
  let isGuarded = false;

  /** True while keys were meant for the line that was being typed. */
  function isTypedAhead(): boolean {
    const now = performance.now();
    isGuarded &&= now - keyAt < pauseMs;
    keyAt = now;
    return isGuarded;
  }

  function enter(key: Key): void {
    const { text, cursor } = editor;
    if (key.meta) return editor.insert("\n");
    if (text[cursor - 1] === "\\") {
      editor.type(undefined, { name: "backspace" });
      return editor.insert("\n");
    }
    const { asked } = options.chat().desk;
    // Answers are not prompts: they are not kept.
    if (asked !== undefined && !text.startsWith("/")) editor.set("");
    else {
      editor.take();
      history.add(text);
    }
    options.chat().submit(text);
  }

  function type(text: string | undefined, key: Key): void {
    const { desk } = options.chat();
    const isChoice = desk.asked !== undefined && desk.phase === "choose" && editor.text === "";
    if (isTypedAhead()) return;
    if (key.name === "return" || key.name === "enter") return isChoice ? undefined : enter(key);
    if (key.name === "escape") return void desk.back();
    if (key.name === "tab") return;
    // Commands can be typed while the agent asks.
    if (isChoice && text !== "/") return void desk.key((text ?? "").toLowerCase());
    editor.type(text, key);
  }

  const controls: Readonly<Record<string, () => boolean>> = {
    c() {
      if (editor.text === "") options.chat().interrupt();
      else editor.set("");
      return true;
    },
    d() {
      if (editor.text !== "") return false;
      options.chat().leave();
      return true;
    },
    l() {
      options.wipe();
      return true;
    },
    z() {
      options.suspend();
      return true;
    },
  };

  const editor: Editor = createEditor({
    history: history.entries,
    onKey(text, key) {
      if (!(key.ctrl && key.name === "c")) options.chat().typed();
      const control = key.ctrl && key.name !== undefined ? controls[key.name] : undefined;
      if (!control?.()) type(text, key);
      redraw();
    },
    onPaste(text) {
      const { desk } = options.chat();
      // A text is not an answer to yes or no.
      if (desk.asked !== undefined && desk.phase === "choose") return;
      editor.insert(text);
      redraw();
    },
  });

  return {
    editor,
    asked() {
      if (kept === undefined && editor.text !== "") kept = editor.text;
      editor.set("");
      isGuarded = performance.now() - keyAt < pauseMs;
    },
    settled() {
      if (kept === undefined || options.chat().desk.asked !== undefined) return;
      editor.set(kept);
      kept = undefined;
    },
  };
}
