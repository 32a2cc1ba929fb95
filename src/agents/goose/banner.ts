import { stripEscapes } from "../../text/clean-text.js";
import type { Sink } from "../contract.js";

/**
 * The lines that Goose prints before the stream, unless `--quiet` is set. Nothing else names the session and its
 * directory. 1.52 prints a drawing with the facts to its right, the versions before 1.25 print a list.
 */
export interface Banner {
  /** True if the line is part of the banner. */
  read(line: string, out: Sink): boolean;
  /** The run continues a session, so its numbers include earlier runs. */
  isResumed(): boolean;
  model(): string | undefined;
}

export function createBanner(): Banner {
  let isResumed = false;
  let model: string | undefined;

  const lines: readonly (readonly [RegExp, (found: RegExpExecArray, out: Sink) => void])[] = [
    [/^\s*__\( O\)>\s+● (new session|resuming|ephemeral) · \S+ (.+)$/, titled],
    [
      /^(starting|resuming|running without) session \| provider: \S+ (?:lead )?model: (.+?)(?: worker model: .+)?$/,
      titled,
    ],
    [/^\s*\\____\)\s+(?:(\S+) · )?(\S.*)$/, placed],
    [/^ +session id: (\S+)$/, (found, out) => named(found[1], out)],
    [/^ +working directory: (\S.*)$/, (found, out) => placed([undefined, undefined, found[1]], out)],
    [/^\s*L L\s+goose is ready$/, (_found, out) => out.consume("banner")],
  ];

  function titled(found: RegExpExecArray, out: Sink): void {
    isResumed = found[1] === "resuming";
    model = found[2];
    out.consume("banner: the model");
  }

  function named(sessionId: string | undefined, out: Sink): void {
    out.identify(sessionId);
    out.consume("banner: the session id");
  }

  function placed(found: readonly (string | undefined)[], out: Sink): void {
    out.identify(found[1]);
    out.session({ model, cwd: found[2] });
    out.consume("banner: the session and its directory");
  }

  return {
    read(line, out) {
      const text = stripEscapes(line).trimEnd();
      for (const [pattern, handle] of lines) {
        const found = pattern.exec(text);
        if (found === null) continue;
        handle(found, out);
        return true;
      }
      return false;
    },
    isResumed: () => isResumed,
    model: () => model,
  };
}
