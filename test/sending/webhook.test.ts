import { existsSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/events/step.js";
import { createWebhookFollower, type WebhookOptions } from "../../src/sending/webhook/follower.js";
import { fakeProject } from "../cli/fake-agent.js";
import { harness, jsonLines, startHarness } from "../cli/harness.js";
import { completed, eventsOf, type Given, started, succeeded } from "../outputs/support.js";
import { addressOfNobody, type Received, startReceiver } from "./receiver.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

interface Message {
  type: string;
  timestamp: string;
  data: { runId: string; sequence: number; [key: string]: unknown };
}

function messageOf({ body }: Received): Message {
  return JSON.parse(body.toString());
}

/** As a receiver does it, with the package of Standard Webhooks. Throws if the signature is wrong. */
function verified(received: Received, webhook: Webhook): Message {
  return webhook.verify(received.body.toString(), received.headers as Record<string, string>) as Message;
}

function steps(...given: Given[]): Step[] {
  return eventsOf(...given).map((event) => ({ events: [event] }));
}

async function deliverRun(options: WebhookOptions, ...given: Given[]): Promise<string[]> {
  const problems: string[] = [];
  const follower = createWebhookFollower({ ...options, onProblem: (problem) => problems.push(problem) });
  follower.push(steps(started, ...given, succeeded, completed));
  await follower.end();
  return problems;
}

describe("harness run --webhook", () => {
  it("posts signed messages in order, with every event and the report that --format json prints", async () => {
    const cwd = await fakeProject();
    const [one, two] = [await startReceiver(), await startReceiver()];
    const sent = await harness(
      [
        ...["run", "show HARNESS_WEBHOOK_SECRET; say done", "-a", "fake", "-f", "json", "--no-log"],
        ...["--webhook", `${one.url}/hook?key=1`, "--webhook", two.url, "--webhook-events", "all"],
      ],
      { cwd, env: { HARNESS_WEBHOOK_SECRET: secret } },
    );
    expect(sent).toMatchObject({ exitCode: 0, stderr: "" });
    const webhook = new Webhook(secret);
    const messages = one.received.map((received) => verified(received, webhook));
    expect(two.received.map((received) => verified(received, webhook))).toEqual(messages);
    expect(one.received[0]?.path).toBe("/hook?key=1");
    expect(messages.map(({ type }) => type)).toEqual(["run.started", "run.events", "run.ended"]);
    expect(messages.map(({ data }) => data.sequence)).toEqual([1, 2, 3]);
    const [start, all, end] = messages.map(({ data }) => data);
    expect(start).toMatchObject({ agent: "fake", cwd, prompt: "show HARNESS_WEBHOOK_SECRET; say done" });
    const events = all?.["events"] as { type: string; seq: number; message?: string }[];
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["started", "exited"]);
    // The agent does not get the secret.
    expect(events.find(({ type }) => type === "agent")?.message).toBe("undefined");
    expect([end?.["report"]]).toEqual(jsonLines(sent.stdout));
    expect(one.received.map(({ headers }) => headers["webhook-id"])).toEqual(
      [1, 2, 3].map((number) => `${end?.runId}-${number}`),
    );
  });

  it("says what a check found out, behind the end of the run, and nothing if none was run", async () => {
    const cwd = await fakeProject();
    const receiver = await startReceiver();
    const send = (prompt: string) =>
      harness(
        [
          "run",
          prompt,
          "-a",
          "fake",
          "-f",
          "json",
          "--check",
          "echo wrong; exit 4",
          "--webhook",
          receiver.url,
        ],
        { cwd },
      );
    const checked = await send("say done");
    expect(checked.exitCode).toBe(3);
    const messages = receiver.received.map(messageOf);
    expect(messages.map(({ type, data }) => [type, data.sequence])).toEqual([
      ["run.started", 1],
      ["run.ended", 2],
      ["run.checked", 3],
    ]);
    const [{ check, recording, ...report }] = jsonLines(checked.stdout) as [Record<string, unknown>];
    expect(messages[1]?.data["report"]).toEqual(report);
    expect(recording).toBeDefined();
    expect(check).toMatchObject({ isSuccess: false, exitCode: 4, tail: "wrong" });
    expect(messages[2]?.data["check"]).toEqual(check);
    const failed = await send("fail");
    expect(failed.exitCode).toBe(1);
    expect(receiver.received.slice(3).map((received) => messageOf(received).type)).toEqual([
      "run.started",
      "run.ended",
    ]);
  });

  it("prints the end of the run before a webhook that hangs has answered, and masks what is redacted", async () => {
    const held: ServerResponse[] = [];
    const receiver = await startReceiver((response, _, number) =>
      number === 1 ? held.push(response) : response.end(),
    );
    const key =
      "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnAA";
    const command = startHarness(
      [
        ...["run", `say ${key}`, "-a", "fake", "--no-log", "--redact"],
        ...["--webhook", receiver.url, "--webhook-events", "all"],
      ],
      { cwd: await fakeProject() },
    );
    await command.says('"type":"Result"');
    await receiver.hasReceived(1);
    expect(command.child.exitCode).toBeNull();
    for (const response of held) response.end();
    expect(await command.ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(receiver.received.map((received) => messageOf(received).type)).toContain("run.ended");
    expect(receiver.received.map(({ body }) => body.toString()).join()).not.toContain(key);
    // Without a secret nothing is signed.
    expect(receiver.received.every(({ headers }) => headers["webhook-signature"] === undefined)).toBe(true);
  });

  it("starts no agent if the address or the secret is invalid, and quotes neither", async () => {
    const cwd = await fakeProject();
    const run = (args: string[], env: Record<string, string> = {}) =>
      harness(["run", "write started x", "-a", "fake", "--no-log", ...args], { cwd, env });
    const refused = await Promise.all([
      run(["--webhook", "file:///hunter2"]),
      run(["--webhook", "http://me:hunter2@localhost/"]),
      run(["--webhook", "http://localhost/"], { HARNESS_WEBHOOK_SECRET: " " }),
      run(["--webhook", "http://localhost/"], { HARNESS_WEBHOOK_SECRET: "whsec_hunter2!" }),
      run(["--webhook-events", "all"]),
      run(Array.from({ length: 6 }, () => ["--webhook", "http://localhost/"]).flat()),
    ]);
    expect(refused.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2, 2, 2]);
    const sentences = refused.map(({ stderr }) => stderr);
    expect(sentences.join("")).not.toContain("hunter2");
    expect(sentences).toEqual([
      expect.stringContaining("--webhook must be an address that begins with http:// or https://"),
      expect.stringContaining("--webhook must not have a user or a password in the address"),
      expect.stringContaining("the secret of the webhook is empty"),
      expect.stringContaining("what follows is not base64"),
      expect.stringContaining("add --webhook URL"),
      expect.stringContaining("--webhook can be given 5 times"),
    ]);
    expect(existsSync(join(cwd, "started"))).toBe(false);
  });

  it("cannot be asked for by a project's file", async () => {
    const receiver = await startReceiver();
    const cwd = await fakeProject();
    for (const key of ["webhook", "otlp", "otlp_endpoint"]) {
      writeFileSync(join(cwd, "harness.toml"), `${key} = "${receiver.url}"\n`);
      const { exitCode, stderr } = await harness(
        ["run", "x", "-a", "claude", "--no-log", "--trust", "--dry-run"],
        { cwd },
      );
      expect({ exitCode, isNamed: stderr.includes(key) }).toEqual({ exitCode: 2, isNamed: true });
    }
    expect(receiver.received).toEqual([]);
  });
});

describe("createWebhookFollower", () => {
  it("signs with any text as secret", async () => {
    const receiver = await startReceiver();
    await deliverRun({ url: receiver.url, secret: "a plain secret" });
    const webhook = new Webhook("a plain secret", { format: "raw" });
    expect(receiver.received.map((received) => verified(received, webhook).type)).toEqual([
      "run.started",
      "run.ended",
    ]);
    expect(() => verified(receiver.received[0] as Received, new Webhook(secret))).toThrow();
  });

  it("tries again with the same id after an error of the server, and then goes on in order", async () => {
    const statuses = [500, 429, 408, 200, 200];
    const receiver = await startReceiver((response, _, number) =>
      response.writeHead(statuses[number - 1] ?? 200, { "retry-after": "0" }).end(),
    );
    expect(await deliverRun({ url: receiver.url, secret })).toEqual([]);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([
      ...["r1-1", "r1-1", "r1-1", "r1-1"],
      "r1-2",
    ]);
    for (const received of receiver.received) verified(received, new Webhook(secret));
  });

  it.each([302, 400, 410])("does not try again if the answer is %d, nor follow it", async (status) => {
    const receiver = await startReceiver((response) =>
      response.writeHead(status, { location: "/more" }).end(),
    );
    expect(await deliverRun({ url: `${receiver.url}/secret-path` })).toEqual([
      `2 of 2 messages could not be delivered to the webhook at ${receiver.url}: it answers with status ${status}. The run is not affected.`,
    ]);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/secret-path", "/secret-path"]);
  });

  it("gives up when it is asked to, also if nobody listens", async () => {
    const problems: string[] = [];
    const url = await addressOfNobody();
    const follower = createWebhookFollower({ url, onProblem: (problem) => problems.push(problem) });
    follower.push(steps(started, completed));
    const ended = follower.end();
    follower.abandon?.();
    await ended;
    expect(problems).toEqual([expect.stringContaining("2 of 2 messages could not be delivered")]);
  });

  it("sends events in messages of a limited size, and names those that are too long", async () => {
    const receiver = await startReceiver();
    const text = "x".repeat(50_000);
    await deliverRun(
      { url: receiver.url, events: "all" },
      ...Array.from({ length: 20 }, (): Given => ({ type: "agent", message: text })),
      { type: "agent", message: "y".repeat(2_000_000) },
    );
    const messages = receiver.received.map(messageOf);
    const events = messages.flatMap(({ data }) => (data["events"] ?? []) as { seq: number }[]);
    expect(events.map(({ seq }) => seq)).toEqual([...Array.from({ length: 21 }, (_, seq) => seq), 22, 23]);
    expect(messages.flatMap(({ data }) => data["omitted"] ?? [])).toEqual([
      { seq: 21, type: "agent", characters: expect.any(Number) },
    ]);
    expect(messages.map(({ data }) => data.sequence)).toEqual(messages.map((_, index) => index + 1));
    expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThan(1024 * 1024);
    expect(messages.at(-1)?.data["report"]).toMatchObject({ isCut: true, outcome: { isSuccess: true } });
  });

  it("counts what is left out of a report that is too long, and reports the end exactly", async () => {
    const receiver = await startReceiver();
    const command = `echo ${"x".repeat(1000)}`;
    await deliverRun(
      { url: receiver.url },
      ...Array.from({ length: 1500 }, (): Given => ({ type: "command", command, exitCode: 0 })),
      { type: "read", path: "/w/a" },
      { type: "agent", message: "The last words." },
    );
    const { isCut, counts, text, outcome, commands } = messageOf(receiver.received.at(-1) as Received).data[
      "report"
    ] as Record<string, unknown>;
    expect({ isCut, counts, text, commands }).toEqual({
      isCut: true,
      counts: { command: 1500, read: 1 },
      text: "The last words.",
      commands: undefined,
    });
    expect(outcome).toMatchObject({ isSuccess: true });
  });

  it("reports every command if the report is short enough, however often a file is read", async () => {
    const receiver = await startReceiver();
    await deliverRun(
      { url: receiver.url },
      ...Array.from({ length: 20_000 }, (): Given => ({ type: "read", path: `/w/${"long/".repeat(20)}` })),
      { type: "command", command: "ls" },
    );
    expect(messageOf(receiver.received.at(-1) as Received).data["report"]).toMatchObject({
      files: { read: [{ count: 20_000 }] },
      commands: [{ command: "ls" }],
    });
  });

  it("gives up events before the end of the run, if a slow receiver lets too much wait", async () => {
    const held: ServerResponse[] = [];
    let isHanging = true;
    const receiver = await startReceiver((response) => (isHanging ? held.push(response) : response.end()));
    const problems: string[] = [];
    const follower = createWebhookFollower({
      url: receiver.url,
      events: "all",
      onProblem: (problem) => problems.push(problem),
    });
    const text = "x".repeat(250_000);
    follower.push(
      steps(started, ...Array.from({ length: 120 }, (): Given => ({ type: "agent", message: text }))),
    );
    follower.push(steps(succeeded, completed));
    const ended = follower.end();
    await receiver.hasReceived(1);
    isHanging = false;
    for (const response of held) response.end();
    await ended;
    const types = receiver.received.map((received) => messageOf(received).type);
    expect([types[0], types.at(-1)]).toEqual(["run.started", "run.ended"]);
    expect(types.length).toBeLessThan(100);
    expect(problems).toEqual([expect.stringContaining("it is too slow")]);
  });

  it("says that a run is over if its end is missing", async () => {
    const receiver = await startReceiver();
    const follower = createWebhookFollower({ url: receiver.url });
    follower.push(steps(started));
    await follower.end();
    const last = messageOf(receiver.received.at(-1) as Received);
    expect(last).toMatchObject({ type: "run.ended", data: { runId: "r1", sequence: 2 } });
    expect(last.data["report"]).toBeUndefined();
  });
});
