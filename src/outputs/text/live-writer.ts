import type { HarnessEvent } from "../../events/event.js";
import type { StopReason } from "../../events/recording-meta.js";
import { describeStopping } from "../../story/outcomes.js";
import type { Line } from "./line.js";
import { createLiveScreen } from "./live-screen.js";
import { toProgressLine } from "./progress.js";
import type { TextView } from "./text-view.js";

/** A run on a terminal: finished rows scroll up, the last ones are redrawn until the run ends. */
export interface LiveWriter {
  /** The events of several native lines, one array for each. Returns what to print. */
  push(lines: readonly (readonly HarnessEvent[])[]): string;
  /** Time has passed: the progress row moves on. */
  tick(): string;
  resize(columns: number): string;
  /** Removes the live rows: somebody else uses the terminal for a while, or for good. */
  suspend(): string;
  resume(): string;
  /** No more events. */
  end(): string;
}

export interface LiveWriterOptions {
  view: TextView;
  columns: number;
  hasColors: boolean;
  /** Milliseconds since any fixed moment. */
  now: () => number;
  /** Why the run is being stopped, if it is. */
  stopping?: (() => StopReason | undefined) | undefined;
}

const howToKill = "Ctrl-C again to kill";

export function createLiveWriter(options: LiveWriterOptions): LiveWriter {
  const { view, columns, hasColors, now } = options;
  const screen = createLiveScreen(columns, hasColors);
  let width = columns;
  let latestAt = now();
  let frame = 0;

  function progressLine(): Line | undefined {
    const progress = view.progress(Math.max(0, now() - latestAt));
    if (progress === undefined) return undefined;
    const stopping = options.stopping?.();
    if (stopping === undefined) return toProgressLine(progress, frame, width);
    const activity = `${describeStopping(stopping)} ${howToKill}`;
    return toProgressLine({ ...progress, activity, lasts: undefined }, frame, width);
  }

  function draw(finished: readonly Line[]): string {
    const live = [view.open, progressLine()].filter((line) => line !== undefined);
    return screen.draw(finished, live);
  }

  return {
    push(lines) {
      const finished = lines.flatMap((events) => view.push(events));
      latestAt = now();
      return draw(finished);
    },
    tick() {
      frame += 1;
      const line = progressLine();
      return line === undefined ? "" : screen.redrawLast(line);
    },
    resize(next) {
      screen.resize(next);
      width = next;
      return draw(view.resize(next));
    },
    suspend: () => screen.clear(),
    resume: () => draw([]),
    end: () => draw(view.end()),
  };
}
