import { describe, expect, it } from "vitest";
import { goose } from "../../src/agents/goose/definition.js";
import { translateRun } from "../support/translated-run.js";

const inference = { provider: "openai", requestedModel: "gpt-4o" };
const complete = { type: "complete", total_tokens: 12, input_tokens: 10, output_tokens: 2 };

function said(text: string, about: { id?: string; metadata?: object } = {}) {
  const { id = "m1", metadata } = about;
  return { type: "message", message: { id, role: "assistant", content: [{ type: "text", text }], metadata } };
}

function byModel(text: string, id = "m1") {
  return said(text, { id, metadata: { userVisible: true, inference } });
}

function block(content: object, role = "assistant") {
  return { type: "message", message: { id: "m9", role, content: [content] } };
}

const messages = (records: readonly (object | string)[]) =>
  translateRun(goose, records)
    .of("agent")
    .map(({ message }) => message);
const deltas = (records: readonly (object | string)[]) =>
  translateRun(goose, records)
    .of("text")
    .map(({ delta }) => delta);

describe("goose: what the model says", () => {
  it("tells a message that is restated so far by its new part, and once as a whole", () => {
    const records = [said("hel"), said("hello"), said("hello world"), complete];
    expect(deltas(records)).toEqual(["hel", "lo", " world"]);
    expect(messages(records)).toEqual(["hello world"]);
  });

  it("appends records that do not restate the message", () => {
    const records = [said("Hello"), said(" big"), said(" world"), complete];
    expect(messages(records)).toEqual(["Hello big world"]);
  });

  it("takes the pieces of 1.52 as they are, even when one repeats all that was said", () => {
    expect(messages([byModel("ha"), byModel("ha"), byModel("haha!"), complete])).toEqual(["hahahaha!"]);
  });

  it("takes no piece for a restatement once the stream has shown that it sends pieces", () => {
    const records = [
      said("No"),
      said(", wait"),
      said("ha", { id: "m2" }),
      said("ha", { id: "m2" }),
      complete,
    ];
    expect(messages(records)).toEqual(["No, wait", "haha"]);
  });

  it("starts another message with another id", () => {
    expect(messages([said("One.", { id: "a" }), said("Two.", { id: "b" }), complete])).toEqual([
      "One.",
      "Two.",
    ]);
  });

  it("does not break a message at a notification", () => {
    const notice = { type: "notification", extension_id: "call", log: { message: "busy" } };
    const told = translateRun(goose, [byModel("One "), notice, byModel("two."), complete]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["One two."]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([notice]);
  });

  it("tells thinking by its new part, in the older spelling too", () => {
    const records = [
      block({ type: "thinking", thinking: "Let" }),
      block({ type: "thinking", thinking: "Let me" }),
      block({ type: "redactedThinking", data: "x" }),
      said("Done"),
      block({ type: "reasoning", text: "More" }),
      complete,
    ];
    const told = translateRun(goose, records);
    expect(told.of("thinking").map(({ delta }) => delta)).toEqual(["Let", " me", "More"]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Done"]);
  });

  it("keeps what was said when the process dies", () => {
    const told = translateRun(goose, [byModel("Half a sen")], {
      ended: { exitCode: null, signal: "SIGKILL" },
    });
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Half a sen"]);
    expect(told.result).toMatchObject({ isSuccess: false, text: "Half a sen", failure: { kind: "killed" } });
  });

  it("keeps a block of a new type as unknown, between what it knows", () => {
    const content = [
      { type: "hologram", data: 1 },
      { type: "text", text: "Hi" },
    ];
    const told = translateRun(goose, [
      { type: "message", message: { id: "m", role: "assistant", content } },
      complete,
    ]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([{ type: "hologram", data: 1 }]);
    expect(told.result.text).toBe("Hi");
  });
});

describe("goose: what Goose itself says", () => {
  const ownId = "msg_10e04a15-b49d-42e5-b9b9-f4afafb83e7b";

  it("is a failure, whatever the words, when a model's message shows that models are named", () => {
    const told = translateRun(goose, [
      byModel("Hm."),
      said("Something new went wrong", { id: "x" }),
      complete,
    ]);
    expect(told.of("error").map(({ message }) => message)).toEqual(["Something new went wrong"]);
    expect(told.result.isSuccess).toBe(false);
  });

  it("is a failure when the id is one that Goose made up", () => {
    expect(
      translateRun(goose, [said("Something went wrong", { id: ownId }), complete]).result.isSuccess,
    ).toBe(false);
  });

  it("is recognised by its phrases in versions that never name the model", () => {
    const words =
      "Ran into this error: 401.\n\nPlease retry if you think this is a transient or recoverable error.";
    const told = translateRun(goose, [said("Hello."), said(words, { id: "m2" }), complete]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Hello."]);
    expect(told.result.failure?.message).toBe(words);
  });

  it.each([
    "I have stopped here to ask you. Please resend your message to continue.",
    "The mail server said: Please resend your message to try again.",
    "Goose ends such texts with: Please retry if you think this is a transient or recoverable error.",
    "Please resend your message to continue.",
  ])("is not recognised by its last words alone: %s", (answer) => {
    const told = translateRun(goose, [said(answer), complete]);
    expect(told.of("error")).toEqual([]);
    expect(told.result).toMatchObject({ isSuccess: true, text: answer });
  });

  it("is recognised when the model said nothing", () => {
    const words = "The model returned an empty response. Please resend your message to continue.";
    expect(translateRun(goose, [said(words), complete]).result.failure?.message).toBe(words);
  });

  it("is told once when an error record and standard error repeat it", () => {
    const error = { type: "error", error: "Ran into trouble" };
    const content = { type: "error", kind: "authentication", message: "Ran into trouble" };
    const told = translateRun(goose, [block(content), error, complete]);
    expect(told.of("error")).toHaveLength(1);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { message: "Ran into trouble" } });
  });

  it("stays a failure when older versions complete after an error and exit 0", () => {
    const told = translateRun(goose, [
      { type: "error", error: { message: "boom" } },
      { type: "complete", total_tokens: null },
    ]);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { message: "boom" } });
  });

  it("is the answer when the prompt was a command of Goose", () => {
    const echo = block({ type: "text", text: "/prompts" }, "user");
    expect(
      translateRun(goose, [echo, said("No prompts available.", { id: ownId }), complete]).result,
    ).toMatchObject({
      isSuccess: true,
      text: "No prompts available.",
    });
  });

  it("is a failure when its last notice says that it cannot continue", () => {
    const message =
      "Unable to continue: Context limit still exceeded after compaction. Try a shorter message.";
    const notice = { type: "systemNotification", notificationType: "inlineMessage", msg: message };
    expect(translateRun(goose, [block(notice), complete]).result).toMatchObject({
      isSuccess: false,
      failure: { kind: "context_overflow", message },
    });
  });

  it.each([
    "Maximum retry attempts (3) exceeded. Unable to complete the task successfully.",
    "A tool call could not be parsed — the response may have been truncated. Try breaking the task into smaller steps or resending your message.",
  ])("is recognised when it gives up: %s", (words) => {
    expect(translateRun(goose, [said(words), complete]).result.failure?.message).toBe(words);
  });

  it("keeps notifications of a new kind", () => {
    const notice = { type: "systemNotification", notificationType: "confetti", msg: "!" };
    expect(
      translateRun(goose, [block(notice), complete])
        .of("unknown")
        .map(({ raw }) => raw),
    ).toEqual([notice]);
  });
});

describe("goose: the session", () => {
  it("is the one of the banner, in the drawing and in the list of 2025", () => {
    for (const banner of [
      ["    __( O)>  ● new session · openai gpt-4o", "   \\____)    20261115_2 · /repo/my project"],
      [
        "starting session | provider: openai model: gpt-4o",
        "    session id: 20261115_2",
        "    working directory: /repo/my project",
      ],
    ]) {
      const told = translateRun(goose, [...banner, said("Hi"), complete]);
      expect(told.of("session")).toMatchObject([
        { sessionId: "20261115_2", model: "gpt-4o", cwd: "/repo/my project" },
      ]);
      expect(told.of("unknown")).toEqual([]);
    }
  });

  it("has a model and a directory when it is not kept, and when two models share the work", () => {
    for (const title of [
      "running without session | provider: openai model: gpt-4o",
      "starting session | provider: openai lead model: gpt-4o worker model: gpt-4o-mini",
    ]) {
      const told = translateRun(goose, [title, "    working directory: /repo/sub", said("Hi"), complete]);
      expect(told.of("session")).toMatchObject([{ model: "gpt-4o", cwd: "/repo/sub" }]);
      expect(told.of("unknown")).toEqual([]);
    }
  });

  it("tells when older versions change the model", () => {
    const change = { type: "model_change", model: "gpt-4o-mini", mode: "worker" };
    const told = translateRun(goose, [byModel("Hi"), change, complete]);
    expect(told.of("session").map(({ model }) => model)).toEqual(["gpt-4o", "gpt-4o-mini"]);
  });

  it("is the name that it was launched with when there is no banner", () => {
    const told = translateRun(goose, [said("Hi"), complete], { sessionId: "demo-sess" });
    expect(told.of("agent")[0]?.sessionId).toBe("demo-sess");
  });

  it("counts for the session when the banner says that it is resumed", () => {
    const banner = ["    __( O)>  ● resuming · openai gpt-4o", "   \\____)    20261115_2 · /repo"];
    const told = translateRun(goose, [...banner, said("Hi"), { ...complete, cost_usd: 0.5 }]);
    expect(told.of("usage")).toMatchObject([{ scope: "session", totalTokens: 12, costUsd: 0.5 }]);
    expect(told.result.costUsd).toBeUndefined();
  });

  it("has the total that Goose reports, which may have more in it than its parts", () => {
    const gemini = { type: "complete", total_tokens: 500, input_tokens: 380, output_tokens: 19 };
    const [usage] = translateRun(goose, [said("Hi"), gemini]).of("usage");
    expect(usage).toMatchObject({ inputTokens: 380, outputTokens: 19, totalTokens: 500, scope: "run" });
  });

  it("has only its last step when an older version reports the total of that", () => {
    const request = { type: "toolRequest", id: "c", toolCall: { value: { name: "shell", arguments: {} } } };
    const response = { type: "toolResponse", id: "c", toolResult: { status: "success", value: {} } };
    const last = { type: "complete", total_tokens: 77 };
    const told = translateRun(goose, [block(request), block(response, "user"), said("Hi"), last]);
    expect(told.of("usage")).toMatchObject([{ totalTokens: 77, scope: "step" }]);
  });

  it("has the total alone when an older version reports only that", () => {
    const [usage] = translateRun(goose, [said("Hi"), { type: "complete", total_tokens: 77 }]).of("usage");
    expect(usage).toMatchObject({ totalTokens: 77, scope: "run" });
    expect(usage?.inputTokens).toBeUndefined();
  });
});
