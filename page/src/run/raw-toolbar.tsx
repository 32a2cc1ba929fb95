import type { RefObject } from "preact";
import { useImperativeHandle, useRef, useState } from "preact/hooks";
import { formatCount } from "../../../src/text/numbers.js";
import type { RunSource } from "../model/run-source.js";
import { say } from "../ui/toast.js";

/** What keys can do with the toolbar. */
export interface RawToolbarHandle {
  search(): void;
  goToLine(): void;
  /** To the next line that has the text. */
  next(): void;
}

interface RawToolbarProps {
  source: RunSource;
  /** The current line, or 0. */
  at: number;
  total: number;
  isPretty: boolean;
  onPretty(isPretty: boolean): void;
  onLine(line: number): void;
  handle: RefObject<RawToolbarHandle | null>;
}

/** Search, go to a line, pretty print. The server searches, because a recording can be large. */
export function RawToolbar({ source, at, total, isPretty, onPretty, onLine, handle }: RawToolbarProps) {
  const search = useRef<HTMLInputElement>(null);
  const line = useRef<HTMLInputElement>(null);
  const [isSearching, setSearching] = useState(false);
  const next = async (): Promise<void> => {
    const text = search.current?.value ?? "";
    if (text === "" || isSearching) return;
    setSearching(true);
    try {
      const found = (await source.searchRaw(text, at + 1)) ?? (await source.searchRaw(text, 1));
      if (found === undefined) say("No line has this text", true);
      else onLine(found);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true);
    } finally {
      setSearching(false);
    }
  };
  useImperativeHandle(handle, () => ({
    search: () => search.current?.focus(),
    goToLine: () => line.current?.focus(),
    next: () => void next(),
  }));
  return (
    <div class="toolbar raw-toolbar">
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          void next();
        }}
      >
        <input
          ref={search}
          type="search"
          placeholder="Search raw lines"
          aria-label="Search raw lines"
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <button type="submit" disabled={isSearching}>
          {isSearching ? "Searching…" : "Next"}
        </button>
      </form>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = line.current?.valueAsNumber ?? Number.NaN;
          if (Number.isInteger(wanted)) onLine(wanted);
          line.current?.blur();
        }}
      >
        <label>
          Line{" "}
          <input
            ref={line}
            type="number"
            class="line-field"
            min={1}
            max={Math.max(1, total)}
            placeholder={String(Math.max(1, at))}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          />
        </label>
        <span class="dim">of {formatCount(total)}</span>
      </form>
      <span class="space" />
      <button type="button" aria-pressed={isPretty} title="v" onClick={() => onPretty(!isPretty)}>
        Pretty print
      </button>
    </div>
  );
}
