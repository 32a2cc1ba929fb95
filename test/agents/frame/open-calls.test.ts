import { expect, it } from "vitest";
import type { OpenCall } from "../../../src/agents/contract.js";
import { createOpenCalls } from "../../../src/agents/frame/open-calls.js";

const call = (callId: string, line: number): OpenCall => ({ callId, name: "tool", line });

it("gives the calls that are open in the order they started, also those that share an id", () => {
  const calls = createOpenCalls();
  const started = [call("a", 1), call("b", 2), call("a", 3), call("c", 4), call("b", 5)];
  for (const one of started) calls.add(one);
  expect(calls.all()).toEqual(started);
});

it("finds a call by its id as long as only one has it", () => {
  const calls = createOpenCalls();
  const [first, second] = [call("a", 1), call("a", 2)];
  calls.add(first);
  expect(calls.find("a")).toBe(first);
  calls.add(second);
  expect(calls.find("a")).toBeUndefined();
  calls.remove(first);
  expect(calls.find("a")).toBe(second);
  calls.remove(second);
  calls.remove(second);
  expect(calls.find("a")).toBeUndefined();
  expect(calls.all()).toEqual([]);
});

it("gives up the oldest call when there are too many", () => {
  const calls = createOpenCalls(3);
  const [a, b, again, c, d] = [call("a", 1), call("b", 2), call("a", 3), call("c", 4), call("d", 5)];
  expect([a, b, again].map((one) => calls.add(one))).toEqual([undefined, undefined, undefined]);
  expect(calls.add(c)).toBe(a);
  expect(calls.all()).toEqual([b, again, c]);
  calls.remove(a);
  calls.remove(c);
  expect(calls.add(d)).toBeUndefined();
});
