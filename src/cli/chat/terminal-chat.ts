import { openTextView } from "../../outputs/text/output.js";
import { cancelOnSignals } from "../ending-signals.js";
import { type Chat, createChat } from "./chat.js";
import { createChatEnd } from "./chat-end.js";
import type { ChatSession } from "./chat-session.js";
import { openHistory } from "./history.js";
import { chatOptionsOf, farewell, greeting, type Talked, type TalkOptions, viewOptionsOf } from "./talk.js";
import { createTerminalKeys } from "./terminal-keys.js";
import { createTerminalView } from "./terminal-view.js";

const tickMs = 100;
/** The queue may be changed by others, who join the session too. */
const syncMs = 1000;
const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

/** A conversation on a terminal: the line being typed is always at the bottom, and nothing tears it. */
export async function talkOnTerminal(
  session: ChatSession,
  { plan, prompt, flags, output }: TalkOptions,
): Promise<Talked> {
  const { stdout } = process;
  const viewOptions = viewOptionsOf(session, flags, stdout);
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const screen = createTerminalView({
    view: await openTextView(viewOptions),
    hasColors: viewOptions.hasColors ?? false,
    output,
    size,
    session,
    chat: () => chat,
    keys: () => keys,
  });
  const keys = createTerminalKeys({
    chat: () => chat,
    history: openHistory(),
    redraw: screen.redraw,
    wipe: screen.wipe,
    suspend,
  });
  const say = (text: string): void => screen.print([[{ text, style: "warning" }]]);
  const chat: Chat = createChat({
    ...chatOptionsOf(session, plan, say),
    columns: () => size().columns,
    print: screen.print,
    onAsked: keys.asked,
    onChange() {
      keys.settled();
      screen.redraw();
    },
  });
  const terminal = takeTerminal(
    (text) => keys.editor.push(text),
    () => void (chat.isLeaving || chat.leave()),
  );

  /** Ctrl-Z: tidies the terminal for the shell, and stops with the whole job. */
  function suspend(): void {
    screen.clear();
    output.write(pasteOff);
    terminal.release();
    process.once("SIGCONT", () => {
      terminal.take();
      output.write(pasteOn);
      screen.redraw();
    });
    process.kill(0, "SIGTSTP");
  }

  output.write(pasteOn);
  const timers = [setInterval(screen.tick, tickMs), setInterval(() => void chat.sync(), syncMs)];
  stdout.on("resize", screen.resize);
  const watch = cancelOnSignals(() => session.stop());
  const end = createChatEnd();
  try {
    screen.print(greeting(session, size().columns));
    for (const note of plan?.notes ?? []) say(note);
    if (prompt !== undefined) chat.submit(prompt);
    for await (const { steps } of session.batches) {
      const events = steps.map((step) => step.events);
      await screen.push(events);
      end.note(events.flat());
      chat.push(events.flat());
    }
    await session.result;
  } finally {
    for (const timer of timers) clearInterval(timer);
    stdout.off("resize", screen.resize);
    screen.close();
    output.write(pasteOff);
    terminal.release();
    keys.editor.close();
    watch.stop();
  }
  if (chat.next === undefined) screen.print(farewell(session, end));
  return { exitCode: end.exitCode(watch.signal), next: chat.next };
}

interface HeldTerminal {
  take(): void;
  release(): void;
}

/** Keys come one by one, and are not echoed. The terminal is given back even if this process ends without us. */
function takeTerminal(onData: (text: string) => void, onEnd: () => void): HeldTerminal {
  const { stdin } = process;
  const giveBack = (): void => void (stdin.isTTY && stdin.setRawMode(false));
  stdin.setEncoding("utf8");

  function take(): void {
    stdin.setRawMode(true);
    stdin.on("data", onData).on("end", onEnd);
    stdin.resume();
    process.once("exit", giveBack);
  }

  take();
  return {
    take,
    release() {
      stdin.off("data", onData).off("end", onEnd);
      giveBack();
      process.off("exit", giveBack);
      stdin.pause();
    },
  };
}
