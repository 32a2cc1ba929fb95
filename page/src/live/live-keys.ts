import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EventOf } from "../../../src/events/event.js";
import type { SessionHere } from "../../../src/server/protocol.js";
import type { SessionActions } from "./session-actions.js";

/** A key that was meant for something else must not answer a request that has just appeared under the fingers. */
const settleMs = 600;
/** The second press of Escape must follow within this time. */
const escapeMs = 2000;

/** What a key presses: the buttons of the card have `data-key`. */
const cardKeys: ReadonlySet<string> = new Set(["y", "a", "n", "e"]);

export interface LiveKeysOptions {
  session: SessionHere;
  /** The request whose card is shown. */
  request: EventOf<"request"> | undefined;
  actions: SessionActions;
}

export interface LiveKeys {
  /** Escape was pressed once. */
  isEscaping: boolean;
  /** The card takes keys. */
  isReady: boolean;
}

/**
 * The keys of a live session. They come before those of the timeline: `y`, `a`, `n` and `e` press the buttons of the card, `i` goes to
 * the composer, and Escape, twice, interrupts the turn.
 */
export function useLiveKeys({ session, request, actions }: LiveKeysOptions): LiveKeys {
  const [isEscaping, setEscaping] = useState(false);
  const isReady = useSettled(request?.requestId);
  const latest = useRef({ session, request, isEscaping, isReady });
  latest.current = { session, request, isEscaping, isReady };

  useEffect(() => {
    if (!isEscaping) return;
    const timer = setTimeout(() => setEscaping(false), escapeMs);
    return () => clearTimeout(timer);
  }, [isEscaping]);

  useLayoutEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { target } = event;
      const isInField =
        target instanceof HTMLElement &&
        target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
      if (
        event.key === "Escape" ? pressEscape(isInField ? target : undefined) : !isInField && press(event.key)
      ) {
        event.preventDefault();
        event.stopPropagation();
      }
    }

    /** While a turn runs, Escape is about the turn. */
    function pressEscape(field: HTMLElement | undefined): boolean {
      field?.blur();
      if (!latest.current.session.isBusy) return field !== undefined;
      if (latest.current.isEscaping) void actions.interrupt();
      setEscaping(!latest.current.isEscaping);
      return true;
    }

    function press(key: string): boolean {
      if (key === "i") return focus(".composer textarea");
      if (!cardKeys.has(key) || latest.current.request === undefined) return false;
      if (!latest.current.isReady) return true;
      const button = document.querySelector<HTMLButtonElement>(`.request-card [data-key="${key}"]`);
      if (button !== null && !button.disabled) button.click();
      return button !== null;
    }

    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, [actions]);
  return { isEscaping, isReady };
}

/** True if the card of this request has been there for a moment. */
function useSettled(id: string | undefined): boolean {
  const [settled, setSettled] = useState<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), settleMs);
    return () => clearTimeout(timer);
  }, [id]);
  return id !== undefined && settled === id;
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}
