import type { Action } from "../../../src/testing/index.js";

/** How the live sessions of one agent differ from the others. All differences are here, each with a reason in a comment. */
export interface LiveProfile {
  agent: string;
  /** For an older version in the lock file. */
  version?: string;
  /** A denied call ends the turn: the model is not asked again. */
  denialEndsTurn?: boolean;
  /** The call with which the model asks the user to choose between Red and Blue. Absent: it cannot ask. */
  question?: Action;
  /** The tokens of a turn with one request of the model, as the stream has them. Absent: it reports none. */
  usage?: { inputTokens?: number; outputTokens?: number };
  /** The history of a resumed session has no call that was denied, so the script is one turn behind there. */
  forgetsDenials?: boolean;
  /** It reads without asking, so rules about reading are refused. */
  readsUnasked?: boolean;
  /** Why it cannot be asked for permission. */
  cannotAsk?: string;
}
