import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventOf, HarnessEvent } from "../../../src/events/event.js";
import { type ConnectedControl, connectControl } from "../../../src/live/control/connect-control.js";
import { controlOf } from "../../../src/live/control/control-of.js";
import { findLiveSession } from "../../../src/live/control/find-live-session.js";
import {
  type ControlLimits,
  type ServedControl,
  serveControl,
} from "../../../src/live/control/serve-control.js";
import type { SessionControl } from "../../../src/live/control/session-control.js";
import { sweepControlPlaces } from "../../../src/live/control/sweep-places.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { temporaryDirectory } from "../../runs/test-agent.js";
import { openFake } from "../support/fake-protocol.js";

async function addressOf(sessions: string): Promise<string> {
  return expect
    .poll(async () => (await recordings.list({ directory: sessions }))[0]?.meta.control)
    .toBeTypeOf("string")
    .then(async () => (await findLiveSession("last", { directory: sessions })).address);
}

async function connected(address: string, options = {}): Promise<ConnectedControl> {
  const control = await connectControl(address, options);
  onTestFinished(() => control.disconnect());
  return control;
}

function waitFor(events: readonly HarnessEvent[], type: "request"): Promise<EventOf<"request">> {
  const find = () => events.find((event): event is EventOf<"request"> => event.type === type);
  return expect
    .poll(find)
    .toBeDefined()
    .then(() => find() as EventOf<"request">);
}

describe("a session of another connection", () => {
  it("takes prompts, answers, interrupts and models; the first answer to a request wins", async () => {
    const { session, events, sessions } = openFake();
    const address = await addressOf(sessions);
    const [one, two] = [await connected(address), await connected(address)];
    expect(await one.send("ask npm test")).toEqual({ turnId: "turn_1" });
    expect(await two.send("say later")).toEqual({ turnId: "turn_2" });
    const { requestId } = await waitFor(events, "request");
    const { can, isBusy, queue, requests, model } = await two.state();
    expect({ isBusy, queue, model, steer: can.steer }).toEqual({
      isBusy: true,
      queue: [{ turnId: "turn_2", prompt: "say later" }],
      model: "fake-1",
      steer: true,
    });
    expect(requests).toMatchObject([{ requestId, operations: [{ type: "command", command: "npm test" }] }]);
    await expect(one.answer(requestId, { answers: {} })).rejects.toMatchObject({ code: "invalid_answer" });
    await two.answer(requestId, { allow: true });
    await expect(one.answer(requestId, { allow: false })).rejects.toMatchObject({ code: "request_gone" });
    await expect(one.send("  ")).rejects.toMatchObject({ code: "empty_prompt" });
    await one.setModel("fake-2");
    await one.send("silent");
    await expect.poll(async () => (await one.state()).queue.length).toBe(0);
    await two.interrupt();
    expect(await one.state()).toMatchObject({ isBusy: false, model: "fake-2" });
    await one.close();
    expect((await session.result).isSuccess).toBe(false);
    await Promise.all([one.closed, two.closed]);
    await expect(two.state()).rejects.toMatchObject({ code: "session_gone" });
    const turns = events.filter((event): event is EventOf<"turn_end"> => event.type === "turn_end");
    expect(turns.map(({ reason }) => reason)).toEqual(["completed", "completed", "interrupted"]);
    expect(turns[0]?.text).toBe("ran npm test");
  });

  it("is found while it runs, with a socket that only its user can reach, and nothing is left of it", async () => {
    const { session, sessions } = openFake();
    const address = await addressOf(sessions);
    expect(statSync(dirname(address)).mode & 0o777).toBe(0o700);
    expect((await findLiveSession(session.runId, { directory: sessions })).address).toBe(address);
    await session.close();
    expect(existsSync(dirname(address))).toBe(false);
    expect((await recordings.find("last", { directory: sessions })).meta.control).toBeUndefined();
    await expect(findLiveSession(session.runId, { directory: sessions })).rejects.toMatchObject({
      code: "session_gone",
      message: expect.stringContaining(`harness chat --resume ${session.runId}`),
    });
    await expect(findLiveSession("last", { directory: sessions })).rejects.toMatchObject({
      code: "unknown_session",
    });
    await expect(controlOf(session).state()).rejects.toMatchObject({ code: "session_gone" });
    await expect(connectControl(address)).rejects.toMatchObject({ code: "session_gone" });
  });

  it("is not shared if it is not recorded", async () => {
    const { TMPDIR = "" } = process.env;
    const place = temporaryDirectory();
    process.env["TMPDIR"] = place;
    onTestFinished(() => {
      process.env["TMPDIR"] = TMPDIR;
    });
    const { session } = openFake({ log: false, sessionsDirectory: temporaryDirectory() });
    await session.send("say hello").result;
    expect(sharedIn(place)).toEqual([]);
    const recorded = openFake();
    await recorded.session.send("say hello").result;
    expect(sharedIn(place)).toHaveLength(1);
  });

  it("can be steered by another process", async () => {
    const { session, sessions } = openFake();
    const address = await addressOf(sessions);
    const script = `
      const socket = require("node:net").connect(${JSON.stringify(address)});
      socket.write(JSON.stringify({ id: 1, do: "send", args: ["say from elsewhere"] }) + "\\n");
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
        if (text.split("\\n").length > 2) { console.log(text); socket.destroy(); }
      });`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await once(child, "close");
    expect(printed.trim().split("\n")).toEqual([
      '{"harness":"control","version":1}',
      '{"id":1,"ok":{"turnId":"turn_1"}}',
    ]);
    expect(await session.close()).toMatchObject({ text: "from elsewhere" });
  });
});

/** The directories of sessions that others can reach. */
function sharedIn(place: string): string[] {
  return readdirSync(place).filter((name) => existsSync(join(place, name, "control")));
}

/** Never answers an interrupt, and counts what it is asked. */
function fakeControl(): SessionControl & { asked: string[] } {
  const asked: string[] = [];
  const never = () => new Promise<never>(() => undefined);
  return {
    asked,
    state: () => Promise.reject(new TypeError("nothing here")),
    async send(prompt) {
      asked.push(prompt);
      return { turnId: "turn_1" };
    },
    answer: never,
    interrupt: never,
    setModel: never,
    close: async () => undefined,
    cancel: async () => undefined,
  };
}

async function served(limits: Partial<ControlLimits> = {}): Promise<{
  control: ReturnType<typeof fakeControl>;
  server: ServedControl;
}> {
  const control = fakeControl();
  const server = await serveControl(control, limits);
  onTestFinished(() => server.close());
  return { control, server };
}

/** A client that sends what it likes. Resolves to all that it got, when the connection has ended or `until` is there. */
async function raw(address: string, sent: string, until?: string): Promise<string> {
  const socket = connect(address);
  let text = "";
  socket.on("error", () => undefined);
  const ended = once(socket, "close");
  const seen = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk;
      if (until !== undefined && text.includes(until)) resolve();
    });
  });
  socket.write(sent);
  await Promise.race([ended, seen]);
  socket.destroy();
  return text;
}

describe("a client that misbehaves", () => {
  it("gets an error for an unknown verb, for wrong arguments and for what goes wrong", async () => {
    const { server } = await served();
    const answers = await raw(
      server.address,
      '{"id":1,"do":"constructor"}\n{"id":2,"do":"send","args":7}\n{"id":3,"do":"state"}\n',
      '"id":3',
    );
    expect(answers).toContain('"id":1,"error":{"code":"bad_request","message":"a session cannot do');
    expect(answers).toContain('"id":2,"error":{"code":"bad_request"');
    expect(answers).toContain('"id":3,"error":{"code":"bad_request","message":"nothing here"}');
  });

  it.each([
    ["is not JSON", "hello\n", "not a JSON object"],
    ["is too long", `${JSON.stringify({ id: 1, do: "send", args: ["x".repeat(2000)] })}\n`, "too long"],
    ["never ends", "x".repeat(5000), "too long"],
  ])("is disconnected if a line %s", async (_name, line, why) => {
    const { server, control } = await served({ lineBytes: 1000 });
    expect(await raw(server.address, line)).toContain(why);
    expect(control.asked).toEqual([]);
  });

  it("gets an answer to whatever it asks, however deep it is nested", async () => {
    const { server } = await served();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const lines = [
      `{"id":${deep},"do":"state"}`,
      `{"id":2,"do":${deep}}`,
      `{"id":3,"do":"send","args":[${deep},${deep}]}`,
      '{"id":{"toString":1},"do":{"toString":1}}',
      '{"id":7,"do":"nothing"}',
    ];
    const answers = await raw(server.address, `${lines.join("\n")}\n`, '"id":7');
    expect(answers.split("\n").filter((line) => line.includes('"id":null'))).toHaveLength(2);
    for (const id of [2, 3, 7]) expect(answers).toContain(`"id":${id},`);
  });

  it("gets one answer for each line that is an object, whatever is in it", async () => {
    const verb = fc.oneof(fc.constantFrom("send", "answer", "setModel", "state"), fc.jsonValue());
    const message = fc.record({ do: verb, args: fc.jsonValue(), id: fc.jsonValue() }, { requiredKeys: [] });
    const { server } = await served({ pending: 1000 });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
        const lines = [...messages, { id: "the last", do: "nothing" }].map((each) => JSON.stringify(each));
        const answers = await raw(server.address, `${lines.join("\n")}\n`, "the last");
        // The hello comes first.
        expect(answers.trim().split("\n").length).toBeGreaterThan(1);
      }),
      { numRuns: 20 },
    );
  });

  it("cannot keep many things waiting, and others are served meanwhile", async () => {
    const { server, control } = await served({ pending: 2 });
    const asked = [1, 2, 3].map((id) => JSON.stringify({ id, do: "interrupt" })).join("\n");
    expect(await raw(server.address, `${asked}\n`, '"id":3')).toContain("session_busy");
    const other = await connected(server.address);
    expect(await other.send("hello")).toEqual({ turnId: "turn_1" });
    expect(control.asked).toEqual(["hello"]);
  });

  it("is refused when there are too many, and disconnected if it does not read", async () => {
    const { server } = await served({ clients: 1, unreadBytes: 1000 });
    const first = connect(server.address);
    onTestFinished(() => void first.destroy());
    await once(first, "data");
    first.pause();
    await expect(connectControl(server.address)).rejects.toMatchObject({ code: "session_gone" });
    const closed = new Promise<void>((resolve) => void first.on("close", () => resolve()));
    const flood = `${JSON.stringify({ id: "x".repeat(10_000), do: "nothing" })}\n`;
    first.on("error", () => undefined);
    for (let count = 0; count < 500; count++) first.write(flood);
    await closed;
  });
});

/** Somebody who listens and is not a session. */
async function listen(
  onConnection: (socket: Socket) => void,
  directory = mkdtempSync(join(tmpdir(), "harness-")),
): Promise<{ address: string; server: Server }> {
  const address = join(directory, "control");
  const server = createServer(onConnection);
  server.listen(address);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { address, server };
}

describe("what killed processes have left", () => {
  it("is removed, and nothing else", async () => {
    const base = temporaryDirectory();
    const made = (name: string): string => {
      const directory = join(base, name);
      mkdirSync(directory, { mode: 0o700 });
      return directory;
    };
    /** A socket whose process is gone, unless it is said to live on. */
    async function abandon(directory: string): Promise<void> {
      const script = `require("node:net").createServer().listen(${JSON.stringify(join(directory, "control"))}, () => process.kill(process.pid, "SIGKILL"))`;
      await once(spawn(process.execPath, ["-e", script]), "close");
    }
    const [dead, full, open, plain] = ["dead01", "full01", "open01", "file01"].map((end) =>
      made(`harness-${end}`),
    ) as [string, string, string, string];
    const named = made("other-dead01");
    await Promise.all([dead, full, open, named].map(abandon));
    writeFileSync(join(full, "notes"), "");
    writeFileSync(join(plain, "control"), "");
    chmodSync(open, 0o755);
    const { address: live } = await listen(() => undefined, made("harness-live01"));
    await sweepControlPlaces(base, Date.now());
    expect(existsSync(dead)).toBe(true);
    await sweepControlPlaces(base, Date.now() + 120_000);
    expect(existsSync(dead)).toBe(false);
    for (const kept of [full, open, plain, named, dirname(live)]) expect(existsSync(kept)).toBe(true);
    expect(existsSync(join(full, "control"))).toBe(true);
  });
});

describe("an address", () => {
  it("that nobody listens on, or where something else is, is refused", async () => {
    const { address, server } = await listen(() => undefined);
    const plain = join(dirname(address), "plain");
    const link = join(temporaryDirectory(), "link");
    writeFileSync(plain, "");
    symlinkSync(dirname(address), link);
    for (const wrong of [plain, join(link, "control"), "relative", "/nowhere/at/all", `${address}\0`])
      await expect(connectControl(wrong)).rejects.toMatchObject({ code: "session_gone" });
    const stale = connectControl(address, { helloMs: 50 });
    await expect(stale).rejects.toMatchObject({ message: expect.stringContaining("said nothing") });
    chmodSync(dirname(address), 0o755);
    await expect(connectControl(address)).rejects.toMatchObject({
      message: expect.stringContaining("not this user's own"),
    });
    chmodSync(dirname(address), 0o700);
    server.close();
    await expect(connectControl(address)).rejects.toMatchObject({ code: "session_gone" });
  });

  it.each([
    ["speaks another version", '{"harness":"control","version":2}\n', "version 2"],
    ["speaks something else", "220 mail ESMTP\n", "not a live session"],
    ["hangs up", undefined, "cannot be reached"],
  ])("of somebody who %s is refused", async (_name, greeting, why) => {
    const { address } = await listen((socket) => {
      if (greeting === undefined) socket.destroy();
      else socket.write(greeting);
    });
    await expect(connectControl(address)).rejects.toMatchObject({
      code: "session_gone",
      message: expect.stringContaining(why),
    });
  });

  it("of somebody who does not answer is given up", async () => {
    const { address } = await listen((socket) => void socket.write('{"harness":"control","version":1}\n'));
    const control = await connected(address, { answerMs: 20 });
    await expect(control.state()).rejects.toMatchObject({
      code: "session_gone",
      message: expect.stringContaining("did not answer"),
    });
  });
});
