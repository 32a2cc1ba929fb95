import { randomBytes } from "node:crypto";
import { monotonicTime } from "../process/monotonic-time.js";
import { isSameText } from "./cookie-key.js";

/** Tokens that are each good once, for a minute. */
export interface OnceTokens {
  create(): string;
  /** True when it is good; it is used up then. */
  use(token: string): boolean;
}

const lifetimeMs = 60_000;

export function createOnceTokens(now: () => number = monotonicTime): OnceTokens {
  let tokens: { token: string; until: number }[] = [];
  return {
    create() {
      const token = randomBytes(24).toString("base64url");
      tokens.push({ token, until: now() + lifetimeMs });
      return token;
    },
    use(token) {
      tokens = tokens.filter(({ until }) => until > now());
      const found = tokens.find((each) => isSameText(each.token, token));
      tokens = tokens.filter((each) => each !== found);
      return found !== undefined;
    },
  };
}
