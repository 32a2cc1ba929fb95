import { describe, expect, it } from "vitest";
import { createTranslator } from "../../src/agents/create-translator.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { translateRun } from "../support/translated-run.js";

const start = { type: "step_start", sessionID: "ses_1", part: { type: "step-start" } };
const text = (words: string, about: object = {}) => ({ type: "text", part: { text: words, ...about } });
const finish = (reason?: string) => ({ type: "step_finish", part: { reason } });
const fail = (message: string, about: object = {}) => ({
  type: "error",
  error: { name: "APIError", data: { message, ...about } },
});
const call = (error: string) => ({
  type: "tool_use",
  part: { tool: "bash", callID: "c1", state: { status: "error", input: { command: "echo hi" }, error } },
});
const refused = call("The user rejected permission to use this specific tool call.");
const ownFault = {
  type: "error",
  error: { name: "UnknownError", data: { message: "Unexpected server error.", ref: "err_1" } },
};
const noModel = {
  type: "error",
  error: { name: "UnknownError", data: { message: "Model not found: a/b." } },
};

describe("opencode: a run succeeds when its last step ended by itself", () => {
  it("fails without any step, although the exit code is 0", () => {
    expect(translateRun(opencode, []).result).toMatchObject({ isSuccess: false });
  });

  it("fails when the last step called tools, since an answer should have followed", () => {
    const told = translateRun(opencode, [start, text("Looking."), finish("tool-calls")]);
    expect(told.result).toMatchObject({ isSuccess: false, text: "Looking." });
    expect(told.of("error")).toHaveLength(1);
  });

  it("fails when a step began and never ended", () => {
    expect(translateRun(opencode, [start, finish("stop"), start]).result.isSuccess).toBe(false);
  });

  it("fails when the program itself spoke to the model and no answer came", () => {
    const told = translateRun(opencode, [start, finish("stop"), text("Continue.", { synthetic: true })]);
    expect(told.of("agent")).toEqual([]);
    expect(told.result.isSuccess).toBe(false);
  });

  it("succeeds when the last step ended without a reason, as old versions print it", () => {
    expect(translateRun(opencode, [start, text("Done."), finish()]).result).toMatchObject({
      isSuccess: true,
      text: "Done.",
    });
    expect(translateRun(opencode, [start, finish()], { ended: { exitCode: 1 } }).result.isSuccess).toBe(
      false,
    );
    expect(translateRun(opencode, [start, finish(), start]).result.isSuccess).toBe(false);
  });

  it("fails with the reason when the last step ended in another way", () => {
    expect(translateRun(opencode, [start, finish("other")]).result.failure?.message).toContain('"other"');
    expect(translateRun(opencode, [start, finish("content-filter")]).result.failure?.kind).toBe("refusal");
  });

  it("is not done before the process is gone: a step may always follow", () => {
    const translator = createTranslator(opencode);
    for (const record of [start, text("Done."), finish("stop")]) translator.line(JSON.stringify(record));
    expect(translator.isDone).toBe(false);
    expect(translator.end({ exitCode: 0 }).find(({ type }) => type === "result")).toMatchObject({
      isSuccess: true,
      text: "Done.",
      line: 3,
    });
  });
});

describe("opencode: permissions that nobody granted", () => {
  it("end the run, whatever the exit code", () => {
    const told = translateRun(opencode, [start, refused, finish("tool-calls")]);
    expect(told.result.failure?.kind).toBe("permission");
    expect(told.of("error")).toHaveLength(1);
  });

  it("end the run also if only standard error says so", () => {
    const translator = createTranslator(opencode);
    translator.line(JSON.stringify(start));
    translator.diagnostic("! permission requested: bash (echo hi); auto-rejecting");
    const failure = translator
      .end({ exitCode: 0 })
      .flatMap((event) => ("failure" in event ? event.failure : []));
    expect(failure).toMatchObject([{ kind: "permission" }]);
  });

  it("do not matter when the run went on", () => {
    expect(
      translateRun(opencode, [start, refused, finish("tool-calls"), start, finish("stop")]).result.isSuccess,
    ).toBe(true);
  });

  it("are not those that a rule denied", () => {
    const denied = call(
      "The user has specified a rule which prevents you from using this specific tool call.",
    );
    expect(translateRun(opencode, [start, denied, finish("tool-calls")]).result.failure?.kind).not.toBe(
      "permission",
    );
  });
});

describe("opencode: errors", () => {
  it("are told once when the same one is reported twice in a row", () => {
    const told = translateRun(opencode, [
      fail("Bad key", { statusCode: 401 }),
      fail("Bad key", { statusCode: 401 }),
    ]);
    expect(told.of("error")).toMatchObject([{ message: "Bad key", code: "APIError", line: 1 }]);
    expect(told.result).toMatchObject({ line: 2, failure: { kind: "auth", message: "Bad key" } });
  });

  it("are told again when something was tried in between", () => {
    const told = translateRun(opencode, [fail("Too long"), start, finish("stop"), fail("Too long")]);
    expect(told.of("error")).toHaveLength(2);
    expect(told.result.isSuccess).toBe(false);
  });

  it("do not fail a run that went on and succeeded", () => {
    expect(
      translateRun(opencode, [fail("context length exceeded"), start, finish("stop")]).result.isSuccess,
    ).toBe(true);
  });

  it.each([
    ["before", [noModel, ownFault]],
    ["after", [ownFault, noModel]],
  ])("that name the cause are the cause, also %s one that only points to a log", (_order, records) => {
    expect(translateRun(opencode, records).result.failure?.kind).toBe("model_not_found");
  });

  it("of the agent's own server are not the provider's fault", () => {
    expect(translateRun(opencode, [ownFault]).result.failure?.kind).toBe("unknown");
  });

  it("may have a name and no words", () => {
    const told = translateRun(opencode, [
      { type: "error", error: { name: "MessageOutputLengthError", data: {} } },
    ]);
    expect(told.result.failure).toMatchObject({ kind: "output_limit", message: "MessageOutputLengthError" });
  });

  it("without anything readable stay visible as they are", () => {
    const record = { type: "error", error: { oops: 1 } };
    expect(translateRun(opencode, [record]).of("unknown")).toMatchObject([{ raw: record }]);
  });
});
