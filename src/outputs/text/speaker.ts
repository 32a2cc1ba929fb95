import type { EventOf } from "../../events/event.js";
import { createSpokenText } from "../../story/spoken-text.js";
import { withoutWhiteSpace } from "../../text/white-space.js";
import type { Line } from "./line.js";
import type { Page } from "./page.js";
import { createProse } from "./prose.js";
import { type CreateRowMaker, createPlainRows } from "./row-maker.js";

/** What the main agent says and, if wanted, thinks: as it streams, and everything once. */
export interface Speaker {
  say(event: EventOf<"text"> | EventOf<"agent">): void;
  think(event: EventOf<"thinking">): void;
  /** The agent's final answer, unless it was shown already. */
  answer(text: string): void;
  /** The answer to another prompt follows. It may be the same as the one before. */
  beginTurn(): void;
  /** Other rows are about to be shown. */
  pause(): void;
  readonly open: Line | undefined;
  resize(): void;
}

/** So much text is remembered, to recognize the answer when the result repeats it. */
const maxRemembered = 1024 * 1024;

const thoughtLook = { style: "dim", prefix: "┊ " } as const;

/** `createRows`: how speech becomes rows. Default: as it is. */
export function createSpeaker(page: Page, createRows: CreateRowMaker = createPlainRows): Speaker {
  const speech = createProse(page, "speech", createRows);
  const thought = createProse(page, "thought", (columns) => createPlainRows(columns, thoughtLook), [
    { text: thoughtLook.prefix, style: thoughtLook.style },
  ]);
  const streamed = createSpokenText();
  let remembered = "";

  function write(text: string): void {
    thought.end();
    speech.write(text);
    remembered += text;
    // Not after every piece: cutting a string copies all of it.
    if (remembered.length > 2 * maxRemembered) remembered = remembered.slice(-maxRemembered);
  }

  function sayWhole(whole: Pick<EventOf<"agent">, "message" | "messageId">): void {
    const rest = streamed.rest(whole);
    if (rest === whole.message) speech.end();
    if (rest !== "") write(rest);
    speech.end();
  }

  return {
    say(event) {
      if (event.type === "agent") {
        sayWhole(event);
        return;
      }
      streamed.add(event);
      write(event.delta);
    },
    think({ delta, message }) {
      speech.pause();
      thought.write(delta ?? message ?? "");
      if (delta === undefined) thought.end();
    },
    answer(text) {
      // The answer is not a message: it has no id, and a structured one may be spaced differently.
      if (withoutWhiteSpace(remembered).includes(withoutWhiteSpace(text))) return;
      sayWhole({ message: text });
    },
    beginTurn() {
      remembered = "";
    },
    pause() {
      speech.pause();
      thought.pause();
    },
    get open() {
      return speech.open ?? thought.open;
    },
    resize() {
      speech.resize();
      thought.resize();
    },
  };
}
