import { stripEscapes } from "../../text/clean-text.js";

const keptLines = 20;
const keptCharacters = 1000;

/**
 * Remembers the last lines that the agent wrote for people, so that a failure can be explained in the agent's own
 * words: standard error first, then its last reported error, then plain text on standard output.
 */
export interface OwnWords {
  diagnostic(line: string): void;
  reported(message: string, at: string): void;
  plain(line: string): void;
  explanation(): string | undefined;
  /** The agent goes on with its work. */
  working(): void;
  /** The last reported error, if the agent did nothing after it. */
  lastError(): string | undefined;
  /** When the last reported error was reported, if this is its message. */
  timeOf(message: string): string | undefined;
  /** A turn of a live session has ended: its words do not explain what happens later. */
  forget(): void;
}

export function createOwnWords(isNoise: (line: string) => boolean): OwnWords {
  const diagnostics: string[] = [];
  const plain: string[] = [];
  let reported: { message: string; at: string } | undefined;
  let lastError: string | undefined;
  return {
    diagnostic: (line) => {
      if (!isNoise(line)) keep(diagnostics, line);
    },
    reported: (message, at) => {
      reported = { message, at };
      lastError = message;
    },
    working: () => {
      lastError = undefined;
    },
    lastError: () => lastError,
    plain: (line) => keep(plain, line),
    explanation: () => tail(diagnostics) ?? reported?.message ?? tail(plain),
    timeOf: (message) => (reported?.message === message ? reported.at : undefined),
    forget() {
      diagnostics.length = 0;
      plain.length = 0;
      reported = undefined;
      lastError = undefined;
    },
  };
}

function keep(lines: string[], line: string): void {
  const text = stripEscapes(beginningOf(line)).trimEnd();
  if (text.trim() === "") return;
  lines.push(text);
  if (lines.length > keptLines) lines.shift();
}

function tail(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Copies whole characters. A slice would keep the whole line in memory, which may be 60 MB long. */
function beginningOf(line: string): string {
  if (line.length <= keptCharacters) return line;
  const characters = Array.from(line.slice(0, keptCharacters));
  if (/[\ud800-\udbff]$/.test(characters.at(-1) ?? "")) characters.pop();
  return characters.join("");
}
