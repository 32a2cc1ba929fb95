import { createInterface } from "node:readline";
import type { Line } from "../../outputs/text/line.js";
import { openTextView } from "../../outputs/text/output.js";
import { paint } from "../../outputs/text/paint.js";
import { cancelOnSignals } from "../ending-signals.js";
import { type Chat, createChat } from "./chat.js";
import { createChatEnd } from "./chat-end.js";
import type { ChatSession } from "./chat-session.js";
import { chatOptionsOf, farewell, greeting, type Talked, type TalkOptions, viewOptionsOf } from "./talk.js";

/** On a terminal that cannot move its cursor: rows come when they are finished, and lines answer. */
export async function talkInLines(
  session: ChatSession,
  { plan, prompt, flags, output }: TalkOptions,
): Promise<Talked> {
  const columns = (): number => process.stdout.columns || 80;
  const view = await openTextView({ ...viewOptionsOf(session, flags, process.stdout), hasColors: false });
  const print = (lines: readonly Line[]): void => {
    output.write(lines.map((line) => `${paint(line, false)}\n`).join(""));
  };
  const say = (text: string): void => print([[{ text }]]);
  let shown = "";

  /** Says what can be answered, once. */
  function showHint(): void {
    const text = chat.desk.hint === "" ? chat.notice : chat.desk.hint;
    if (text !== "" && text !== shown) say(text);
    shown = text;
  }

  const chat: Chat = createChat({
    ...chatOptionsOf(session, plan, say),
    columns,
    print,
    onAsked: () => undefined,
    onChange: showHint,
  });
  print(greeting(session, columns()));
  for (const note of plan?.notes ?? []) say(note);
  // Ctrl-C interrupts. Other signals end everything.
  const interrupt = (): void => chat.interrupt();
  const watch = cancelOnSignals(() => session.stop(), ["SIGTERM", "SIGHUP"]);
  process.on("SIGINT", interrupt);
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on("line", (line) => {
    chat.typed();
    chat.submit(line);
  });
  lines.on("close", () => void (chat.isLeaving || chat.leave()));
  if (prompt !== undefined) chat.submit(prompt);
  const end = createChatEnd();
  for await (const { steps } of session.batches) {
    for (const { events } of steps) {
      print(view.push(events));
      end.note(events);
      chat.push(events);
    }
  }
  await session.result;
  lines.close();
  watch.stop();
  process.off("SIGINT", interrupt);
  if (chat.next === undefined) print(farewell(session, end));
  return { exitCode: end.exitCode(watch.signal), next: chat.next };
}
