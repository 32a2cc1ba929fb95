import { expect, test } from "vitest";
import { type RpcMessage, readRpcMessage } from "../../../src/agents/shared/json-rpc.js";

const messages: readonly [says: string, value: unknown, message: RpcMessage | undefined][] = [
  [
    "a request",
    { id: "a", method: "m", params: { x: 1 } },
    { type: "request", id: "a", method: "m", params: { x: 1 } },
  ],
  ["a request without params", { id: 0, method: "m" }, { type: "request", id: 0, method: "m", params: {} }],
  ["a notification", { method: "m" }, { type: "notification", method: "m", params: {} }],
  ["a result", { id: 1, result: { x: 1 } }, { type: "result", id: 1, result: { x: 1 } }],
  ["a result that is null", { id: 1, result: null }, { type: "result", id: 1, result: {} }],
  ["an error", { id: 1, error: { code: 1 } }, { type: "error", id: 1, error: { code: 1 } }],
  ["an error beside a result", { id: 1, error: {}, result: {} }, { type: "error", id: 1, error: {} }],
  ["an id alone", { id: 1 }, undefined],
  ["a result without an id", { result: {} }, undefined],
  ["an id that is not one", { id: {}, result: {} }, undefined],
  ["a list", [1], undefined],
  ["nothing", undefined, undefined],
];

test.each(messages)("reads %s", (_says, value, message) => {
  expect(readRpcMessage(value)).toEqual(message);
});
