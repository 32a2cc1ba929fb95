import { expect, it } from "vitest";
import { type DeliverOptions, deliver } from "../../src/sending/deliver.js";
import type { Reply } from "../../src/sending/post.js";

/** Delivers with these answers, one for each attempt. An error is no answer. */
function delivery(answers: (Reply | Error)[]): {
  options: DeliverOptions;
  ending: AbortController;
  attempts: Reply[];
} {
  const ending = new AbortController();
  const attempts: Reply[] = [];
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
    signals: { stop: new AbortController().signal, ending: ending.signal },
  };
  return { options, ending, attempts };
}

it("does not wait for the next attempt when the run is over", async () => {
  const { options, attempts } = delivery([{ status: 503, retryAfterMs: 50_000 }, { status: 204 }]);
  expect(await deliver(options)).toBeUndefined();
  expect(attempts).toHaveLength(2);
});

it("gives up after the run, if nobody answers or the server asks for more time than there is", async () => {
  const refused = delivery([{ status: 503, retryAfterMs: 50_000 }, new Error("refused")]);
  expect(await deliver(refused.options)).toBe("refused");
  const busy = delivery([{ status: 503, retryAfterMs: 50_000 }]);
  busy.ending.abort();
  expect(await deliver(busy.options)).toBe("it answers with status 503");
});
