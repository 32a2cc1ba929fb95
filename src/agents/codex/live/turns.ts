import type { Sink } from "../../contract.js";
import { addTokens, countTokensOfWholeInput, type ReportedTokens } from "../../shared/tokens.js";

/** The turn that runs in the session's thread. */
export interface CodexTurn {
  /** Codex's own id. Unknown until its answer to the prompt, or the turn's start. */
  id: string | undefined;
  /** The message that began it has been reported. Later ones are steering. */
  hasPrompt: boolean;
}

/**
 * Codex names its turns. A prompt begins one; Codex can also begin one by itself (a queued message, a compaction), and
 * then its prompt, if there is one, is the turn's first item.
 */
export interface CodexTurns {
  readonly current: CodexTurn | undefined;
  /** A prompt was sent while no turn ran. */
  prompted(prompt: string, out: Sink): CodexTurn;
  /** Codex has named the turn of a prompt. */
  named(turn: CodexTurn | undefined, id: string | undefined): void;
  /** `turn/started` */
  started(id: string | undefined): void;
  /** A record of a turn. Begins the turn if Codex has started it by itself. False: it is not the running turn. */
  enter(id: string | undefined, out: Sink, prompt?: string): boolean;
  /** True for a turn of this session. Resumed threads repeat the counts of earlier ones. */
  isKnown(id: string | undefined): boolean;
  /** Tokens of one request to the model. They count for the running turn. */
  count(tokens: ReportedTokens, out: Sink): void;
  ended(): void;
}

export function createCodexTurns(): CodexTurns {
  const known = new Set<string>();
  /** A turn that Codex has started, and that has no record yet. */
  let waiting: string | undefined;
  let current: CodexTurn | undefined;
  let spent: ReportedTokens = {};

  function begin(turn: CodexTurn, from: { prompt?: string; origin: "user" | "agent" }, out: Sink): CodexTurn {
    current = turn;
    spent = {};
    waiting = undefined;
    out.live.beginTurn(from);
    return turn;
  }

  function named(turn: CodexTurn | undefined, id: string | undefined): void {
    if (turn === undefined || turn !== current || id === undefined) return;
    turn.id ??= id;
    known.add(id);
  }

  return {
    get current() {
      return current;
    },
    prompted: (prompt, out) => begin({ id: waiting, hasPrompt: false }, { prompt, origin: "user" }, out),
    named,
    started(id) {
      if (id === undefined || known.has(id)) return;
      if (current !== undefined) return named(current, id);
      waiting = id;
      known.add(id);
    },
    enter(id, out, prompt) {
      if (id !== undefined && id === waiting && current === undefined) {
        const isOwn = prompt === undefined;
        begin({ id, hasPrompt: isOwn }, isOwn ? { origin: "agent" } : { prompt, origin: "user" }, out);
      }
      if (current === undefined) return false;
      if (current.id === undefined && id !== undefined && !known.has(id)) named(current, id);
      return id === undefined || id === current.id;
    },
    isKnown: (id) => id !== undefined && known.has(id),
    count(tokens, out) {
      if (current === undefined) return;
      spent = addTokens(spent, tokens);
      out.run.usage = { ...countTokensOfWholeInput(spent), scope: "run", line: out.lineNumber };
    },
    ended() {
      current = undefined;
    },
  };
}
