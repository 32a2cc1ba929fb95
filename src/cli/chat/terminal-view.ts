import { performance } from "node:perf_hooks";
import type { HarnessEvent } from "../../events/event.js";
import { cutEnd } from "../../outputs/text/cut.js";
import type { Line } from "../../outputs/text/line.js";
import { toProgressLine } from "../../outputs/text/progress.js";
import type { TextView } from "../../outputs/text/text-view.js";
import { wrapText } from "../../outputs/text/wrap.js";
import { describeStopping } from "../../story/outcomes.js";
import { cleanLine } from "../../text/cut.js";
import type { PrintTarget } from "../output.js";
import type { Chat } from "./chat.js";
import type { ChatSession } from "./chat-session.js";
import type { HistorySearch } from "./history-search.js";
import { layOutPrompt } from "./prompt-rows.js";
import { type ChatRows, createChatScreen } from "./screen.js";
import type { TerminalKeys } from "./terminal-keys.js";

/** What a chat looks like on a terminal: rows that scroll up, and below them what goes on, what waits, and the line being typed. */
export interface TerminalView {
  print(lines: readonly Line[]): void;
  /** The events of several native lines, one array for each. */
  push(lines: readonly (readonly HarnessEvent[])[]): Promise<void> | undefined;
  redraw(): void;
  tick(): void;
  resize(): void;
  /** Removes the live rows. `redraw` brings them back. */
  clear(): void;
  /** An empty screen, with the live rows at its top. */
  wipe(): void;
  /** The live rows are not drawn any more. */
  close(): void;
}

export interface TerminalViewOptions {
  view: TextView;
  hasColors: boolean;
  output: PrintTarget;
  size(): { columns: number; rows: number };
  session: Pick<ChatSession, "stopping">;
  chat(): Chat;
  keys(): Pick<TerminalKeys, "editor" | "search" | "isGuarded">;
}

const shownQueue = 3;
const wipeScreen = "\u001b[2J\u001b[H";

export function createTerminalView(options: TerminalViewOptions): TerminalView {
  const { view, output, size } = options;
  const screen = createChatScreen(size().columns, options.hasColors);
  const clock = { latestAt: performance.now(), turnAt: performance.now(), frame: 0 };
  let isClosed = false;

  function draw(finished: readonly Line[]): Promise<void> | undefined {
    if (isClosed) return output.write(finished.length === 0 ? "" : screen.print(finished));
    return output.write(screen.draw(finished, liveRows(options, clock)));
  }

  return {
    print: (lines) => void draw(lines),
    push(lines) {
      const finished = lines.flatMap((events) => view.push(events));
      clock.latestAt = performance.now();
      if (lines.some((events) => events.some(({ type }) => type === "turn"))) clock.turnAt = clock.latestAt;
      return draw(finished);
    },
    redraw: () => void draw([]),
    tick() {
      clock.frame += 1;
      if (options.chat().isBusy) void draw([]);
    },
    resize() {
      screen.resize(size().columns);
      void draw(view.resize(size().columns));
    },
    clear: () => void output.write(screen.clear()),
    wipe() {
      output.write(screen.clear() + wipeScreen);
      void draw([]);
    },
    close() {
      output.write(screen.clear());
      isClosed = true;
    },
  };
}

interface Clock {
  latestAt: number;
  turnAt: number;
  frame: number;
}

function liveRows(options: TerminalViewOptions, clock: Clock): ChatRows {
  const { view, size } = options;
  const { columns, rows: height } = size();
  const chat = options.chat();
  const { desk, notice } = chat;
  const { editor, search, isGuarded } = options.keys();
  const isLooking = search.query !== undefined;
  const prompt = layOutPrompt({
    text: isLooking ? search.found : editor.text,
    cursor: isLooking ? search.found.length : editor.cursor,
    mark: desk.asked === undefined ? "> " : "? ",
    placeholder: isLooking ? "" : placeholderOf(chat),
    columns,
    maxRows: Math.max(1, Math.floor(height / 3)),
  });
  const hint = isLooking ? searchHint(search) : isGuarded ? guardHint : desk.hint;
  const hints = wrapText(cleanLine(hint), columns - 1);
  const above: Line[] = [
    ...[view.open].filter((line) => line !== undefined),
    [],
    ...progressRows(options, clock),
    ...queueRows(chat, columns),
    ...(notice === "" ? [] : [[{ text: cutEnd(notice, columns - 1), style: "warning" } as const]]),
    ...hints.map((text) => [{ text, style: "accent" } as const]),
  ];
  // The live rows must fit on the screen: what scrolls away cannot be drawn over.
  const room = Math.max(0, height - prompt.rows.length - 1);
  const shown = room === 0 ? [] : above.slice(-room);
  const { row, column } = prompt.cursor;
  return { rows: [...shown, ...prompt.rows], cursor: { row: shown.length + row, column } };
}

const guardHint = "What you type belongs to your line. Pause for a moment to answer.";

function searchHint({ query, found }: HistorySearch): string {
  const none = query !== "" && found === "" ? " (nothing found)" : "";
  return `Search: ${query}${none}  Enter takes it · Ctrl-R older · Esc goes back`;
}

function placeholderOf({ desk, isBusy, isLeaving }: Chat): string {
  if (isLeaving || desk.asked !== undefined) return "";
  return isBusy ? "Enter queues a prompt, Ctrl-C interrupts" : "Write a prompt, or /help";
}

function progressRows({ view, chat, size, session }: TerminalViewOptions, clock: Clock): Line[] {
  const { isBusy, desk } = chat();
  const now = performance.now();
  const progress =
    isBusy && desk.asked === undefined ? view.progress(Math.max(0, now - clock.latestAt)) : undefined;
  if (progress === undefined) return [];
  const stopping = session.stopping();
  const activity = stopping === undefined ? progress.activity : describeStopping(stopping);
  return [
    toProgressLine({ ...progress, activity, elapsed: now - clock.turnAt }, clock.frame, size().columns),
  ];
}

function queueRows({ state }: Chat, columns: number): Line[] {
  // The first of them begins in a moment if nothing runs.
  const waiting = (state?.queue ?? []).slice(state?.isBusy ? 0 : 1);
  const rows = waiting
    .slice(0, shownQueue)
    .map(({ prompt }) => [
      { text: cutEnd(`  queued: ${cleanLine(prompt)}`, columns - 1), style: "dim" } as const,
    ]);
  const more = waiting.length - rows.length;
  return more > 0 ? [...rows, [{ text: `  and ${more} more (/queue)`, style: "dim" }]] : rows;
}
