import { expect, test } from "vitest";
import { createPendingAnswers } from "../../../src/agents/shared/pending-answers.js";

test("an answer reaches the request with its id, once", () => {
  const pending = createPendingAnswers<string | number, string>((count) => count);
  const got: string[] = [];
  const first = pending.expect((reply) => got.push(`first ${reply}`));
  const second = pending.expect((reply) => got.push(`second ${reply}`));
  pending.answered(second, "b");
  pending.answered(second, "again");
  pending.answered(String(first), "another id");
  pending.answered(first, "a");
  expect(got).toEqual(["second b", "first a"]);
});

test("closing answers what waits, and nothing that is asked because of that", () => {
  const pending = createPendingAnswers<string, string>((count) => `r${count}`);
  const got: string[] = [];
  pending.expect((reply) => {
    got.push(reply);
    pending.expect((later) => got.push(`later ${later}`));
  });
  pending.expect();
  pending.close("closed");
  expect(got).toEqual(["closed"]);
});
