import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Abilities, Answer, SessionRequest } from "../../src/agents/live-contract.js";
import { createSessionRequests, type SessionRequests } from "../../src/live/requests.js";
import type { OnRequest } from "../../src/live/session-task.js";

const can = { always: true, changeInput: true } as Abilities;

function asking(given: { keepsAlways?: boolean; onRequest?: OnRequest } = {}): {
  requests: SessionRequests;
  sent: Answer[];
  problems: string[];
} {
  const sent: Answer[] = [];
  const problems: string[] = [];
  const requests = createSessionRequests({
    agentName: "Fake Agent",
    can,
    policy: () => undefined,
    keepsAlways: given.keepsAlways ?? false,
    onRequest: given.onRequest,
    answer: (_, answer) => void sent.push(answer),
    onProblem: (message) => void problems.push(message),
  });
  return { requests, sent, problems };
}

function permission(requestId: string, fields: Partial<SessionRequest> = {}): SessionRequest {
  return {
    type: "request",
    runId: "r",
    seq: 1,
    timestamp: "2026-01-01T00:00:00.000Z",
    requestId,
    kind: "permission",
    name: "shell",
    choices: ["allow", "deny"],
    ...fields,
  } as SessionRequest;
}

describe("an answer with another input", () => {
  const dangerous = { input: { command: "rm -rf build" } };
  const harmless = { command: "ls build" };

  it("that holds always replaces the input of the same request each time", () => {
    const { requests, sent } = asking({ keepsAlways: true });
    requests.opened(permission("one", dangerous));
    requests.answer("one", { allow: true, always: true, input: harmless });
    requests.opened(permission("two", dangerous));
    expect(sent).toEqual([
      { allow: true, input: harmless },
      { allow: true, input: harmless },
    ]);
  });

  it.each([["ls build"], [["ls"]], [null], [7]])("is refused if the input is %j", (input) => {
    const { requests, sent } = asking();
    requests.opened(permission("one", dangerous));
    expect(() => requests.answer("one", { allow: true, input })).toThrow(
      expect.objectContaining({ code: "invalid_answer", message: expect.stringContaining("`input`") }),
    );
    expect(sent).toEqual([]);
  });
});

describe("an answer that holds always", () => {
  it("is not for another request of which only the words are known", () => {
    const { requests, sent } = asking({ keepsAlways: true });
    requests.opened(permission("one", { message: "List the files" }));
    requests.answer("one", { allow: true, always: true });
    requests.opened(permission("two", { message: "Delete the files" }));
    expect(sent).toHaveLength(1);
    expect(requests.open).toMatchObject([{ requestId: "two" }]);
  });

  it("is for the same command in other words, and not for one that is run in another way", () => {
    const { requests, sent } = asking({ keepsAlways: true });
    const given = (more: object, operations = [{ type: "command" as const, command: "npm test" }]) => ({
      input: { command: "npm test", ...more },
      operations,
    });
    requests.opened(permission("one", given({ description: "Run the tests" })));
    requests.answer("one", { allow: true, always: true });
    requests.opened(permission("two", given({ description: "Check that the tests pass" })));
    expect(sent).toHaveLength(2);
    requests.opened(permission("three", given({ description: "Run the tests", sandbox: false })));
    requests.opened(permission("four", given({ description: "Run the tests" }, [])));
    expect(requests.open.map(({ requestId }) => requestId)).toEqual(["three", "four"]);
  });
});

describe("onRequest", () => {
  it("that fails after the request is gone has denied nothing", async () => {
    let fail: (error: Error) => void = () => {};
    const onRequest: OnRequest = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    const { requests, sent, problems } = asking({ onRequest });
    requests.opened(permission("one"));
    requests.closed("one");
    fail(new Error("the window was closed"));
    await sleep(0);
    expect(sent).toEqual([]);
    expect(problems).toEqual([]);
  });
});
