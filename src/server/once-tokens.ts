import { randomBytes } from "node:crypto";
import { monotonicTime } from "../process/monotonic-time.js";
import { isSameText } from "./cookie-key.js";

/** Tokens that can be used once, within a minute. */
export interface OnceTokens {
  create(): string;
  /** True if the token is valid. It is used up by this call. */
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
