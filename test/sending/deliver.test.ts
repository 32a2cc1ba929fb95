import { expect, it } from "vitest";
import { type DeliverOptions, deliver } from "../../src/sending/deliver.js";
import type { Reply } from "../../src/sending/post.js";
import type { SendSignals } from "../../src/sending/send-queue.js";

interface Given extends Partial<Pick<SendSignals, "isLastTry" | "timeLeftMs">> {}

/** Delivers with these answers, one for each attempt. An error is no answer. */
function delivery(
  answers: (Reply | Error)[],
  { isLastTry = false, timeLeftMs = () => 2500 }: Given = {},
): {
  options: DeliverOptions;
  ending: AbortController;
  attempts: Reply[];
  /** What was learnt about the address. */
  noted: boolean[];
} {
  const ending = new AbortController();
  const attempts: Reply[] = [];
  const noted: boolean[] = [];
  const options: DeliverOptions = {
    async attempt() {
      const answer = answers.shift() ?? new Error("nobody expects this attempt");
      if (answer instanceof Error) throw answer;
      attempts.push(answer);
      // By then, the next attempt is being waited for.
      setImmediate(() => ending.abort());
      return answer;
    },
    isTemporary: (status) => status === 503,
    isPatient: (reply) => !ending.signal.aborted || reply !== undefined,
    signals: {
      stop: new AbortController().signal,
      ending: ending.signal,
      isLastTry,
      timeLeftMs: () => (ending.signal.aborted ? timeLeftMs() : Number.POSITIVE_INFINITY),
      noteAttempt: (isReached) => noted.push(isReached),
    },
  };
  return { options, ending, attempts, noted };
}

it("does not wait for the next attempt when the run is over", async () => {
  const { options, attempts } = delivery([{ status: 503, retryAfterMs: 50_000 }, { status: 204 }]);
  expect(await deliver(options)).toBeUndefined();
  expect(attempts).toHaveLength(2);
});

it("gives up after the run, if nobody answers or the server asks for more time than there is", async () => {
  const refused = delivery([{ status: 503, retryAfterMs: 50_000 }, new Error("refused")]);
  expect(await deliver(refused.options)).toEqual({ problem: "refused", isAway: true });
  const busy = delivery([{ status: 503, retryAfterMs: 2500 }]);
  busy.ending.abort();
  expect(await deliver(busy.options)).toEqual({ problem: "it answers with status 503", isAway: true });
});

it("tries once after the run, if the address was away before", async () => {
  const { options, ending, attempts, noted } = delivery([{ status: 503, retryAfterMs: 0 }], {
    isLastTry: true,
  });
  ending.abort();
  expect(await deliver(options)).toEqual({ problem: "it answers with status 503", isAway: true });
  expect(attempts).toHaveLength(1);
  expect(noted).toEqual([false]);
});

it("takes an answer that is final for a sign of life", async () => {
  const { options, noted } = delivery([{ status: 503, retryAfterMs: 0 }, { status: 400 }]);
  expect(await deliver(options)).toEqual({ problem: "it answers with status 400", isAway: false });
  expect(noted).toEqual([false, true]);
});
