import { HarnessError } from "../../errors.js";
import type { Session } from "../session.js";
import type { SessionControl } from "./session-control.js";

/** The control of a session of this process. */
export function controlOf(session: Session): SessionControl {
  let hasEnded = false;
  void session.result.then(() => {
    hasEnded = true;
  });

  /** Nothing is done with a session that has ended. What the session throws becomes a rejection. */
  async function attempt<T>(action: () => T | Promise<T>): Promise<T> {
    // Lets the end of a session be noticed that had ended before.
    await Promise.resolve();
    if (hasEnded) throw gone("the session has ended");
    return action();
  }

  return {
    state: () =>
      attempt(() => {
        const { can, isBusy, queue, requests, model } = session;
        return { can, isBusy, queue, requests, ...(model !== undefined && { model }) };
      }),
    send: (prompt, options) => attempt(() => ({ turnId: session.send(prompt, options).turnId })),
    answer: (requestId, answer) => attempt(() => session.answer(requestId, answer)),
    interrupt: () => attempt(() => session.interrupt()),
    setModel: (model) => attempt(() => session.setModel(model)),
    close: () => attempt(() => void session.close()),
    cancel: () => attempt(() => session.cancel()),
  };
}

/** `why` is a clause: `the session has ended`. */
export function gone(why: string, cause?: unknown): HarnessError {
  const message = `${why}; \`harness sessions list\` shows which sessions run`;
  return new HarnessError("session_gone", message, { cause });
}
