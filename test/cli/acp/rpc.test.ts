import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { promptParam, serversParam } from "../../../src/cli/acp/params.js";
import { createRpc, RpcError } from "../../../src/cli/acp/rpc.js";
import type { JsonObject } from "../../../src/text/json.js";

/** A connection with a method that reads its parameters as `session/prompt` and `session/new` do. */
function connect() {
  const written: JsonObject[] = [];
  const rpc = createRpc(
    (line) => {
      written.push(JSON.parse(line));
      return undefined;
    },
    {
      requests: { read: async (params) => ({ prompt: promptParam(params), servers: serversParam(params) }) },
      notifications: { cancel: () => undefined },
    },
  );
  return { rpc, written };
}

const method = fc.oneof(fc.constantFrom("read", "cancel", "toString", "__proto__"), fc.jsonValue());
const block = fc.record(
  {
    type: fc.oneof(fc.constantFrom("text", "resource", "resource_link", "image"), fc.jsonValue()),
    text: fc.jsonValue(),
    uri: fc.oneof(fc.constantFrom("file://%", "file:///a%zz", "file://["), fc.jsonValue()),
    resource: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const params = fc.record(
  {
    prompt: fc.oneof(fc.array(block, { maxLength: 3 }), fc.jsonValue()),
    mcpServers: fc.oneof(
      fc.array(fc.record({ name: fc.constantFrom("a", "__proto__"), url: fc.jsonValue() })),
    ),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    jsonrpc: fc.constant("2.0"),
    id: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.jsonValue()),
    method,
    params: fc.oneof(params, fc.jsonValue()),
    result: fc.jsonValue(),
    error: fc.oneof(fc.record({ message: fc.jsonValue() }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

describe("what an editor sends", () => {
  it("never ends the server, and every request has one answer", async () => {
    const line = fc.oneof(
      message.map((each) => JSON.stringify(each)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 10 }), async (lines) => {
        const { rpc, written } = connect();
        const answer = rpc.ask("question", {}).catch(() => ({}));
        for (const each of lines) rpc.received(each);
        await new Promise(setImmediate);
        rpc.close();
        await answer;
        for (const each of written) expect(each["jsonrpc"]).toBe("2.0");
      }),
    );
  });

  it("may refuse without words", async () => {
    const { rpc } = connect();
    const answer = rpc.ask("question", {});
    rpc.received('{"jsonrpc":"2.0","id":1,"error":{"message":{"toString":1}}}');
    await expect(answer).rejects.toThrow("it was refused");
  });

  it("may have parts of a prompt that nobody knows", () => {
    expect(() => promptParam({ prompt: [{ type: { toString: 1 } }] })).toThrow(RpcError);
  });
});
