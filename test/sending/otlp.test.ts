import type { ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import type { Step } from "../../src/events/step.js";
import { createOtlpFollower } from "../../src/sending/otlp/follower.js";
import { fakeProject } from "../cli/fake-agent.js";
import {
  harness,
  jsonLines,
  program,
  programThatReplays,
  startHarness,
  temporaryDirectory,
} from "../cli/harness.js";
import { completed, eventsOf, type Given, started, succeeded } from "../outputs/support.js";
import { type DecodedSpan, decodeRequest, spansOfJson } from "../support/otlp-proto.js";
import { addressOfNobody, type Received, startReceiver } from "./receiver.js";

const task = ["run", "Do it", "-a", "claude", "--no-log"];
const agent = programThatReplays("claude", "2.1.325-subagent");

function spansIn(received: readonly Received[]): DecodedSpan[] {
  return received.flatMap(({ body }) => decodeRequest(body).spans);
}

describe("harness run --otlp", () => {
  it("sends the spans of the run as protobuf, with what the environment says", async () => {
    const receiver = await startReceiver();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const { exitCode, stderr } = await harness([...task, "--binary", agent, "--otlp"], {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/base/`,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%2Cb,x-other=1",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_SERVICE_NAME: "nightly",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
        TRACEPARENT: `00-${traceId}-b7ad6b7169203331-01`,
        TRACESTATE: "vendor=1",
      },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const [first] = receiver.received;
    expect(first).toMatchObject({
      path: "/base/v1/traces",
      headers: { "x-key": "a,b", "x-other": "1", "content-type": "application/x-protobuf" },
    });
    const requests = receiver.received.map(({ body }) => decodeRequest(gunzipSync(body)));
    expect(requests[0]).toMatchObject({
      scope: "harness",
      resource: {
        "service.name": { stringValue: "nightly" },
        "deployment.environment.name": { stringValue: "test" },
      },
    });
    const spans = requests.flatMap((request) => request.spans);
    expect(spans.map(({ name }) => name)).toEqual([
      "execute_tool Agent",
      "execute_tool Bash",
      "invoke_agent general-purpose",
      "invoke_agent claude",
    ]);
    expect(spans.at(-1)).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331", traceState: "vendor=1" });
    expect(JSON.stringify(spans, (_, value) => (typeof value === "bigint" ? 0 : value))).not.toContain(
      "helper.trace",
    );
  });

  it("gives the agent its own span as TRACEPARENT, ignores one that is invalid, and sends contents if they are asked for", async () => {
    const receiver = await startReceiver();
    const cwd = await fakeProject();
    const { stdout, stderr } = await harness(
      [
        "run",
        "show TRACEPARENT",
        "-a",
        "fake",
        "--no-log",
        "-q",
        "--otlp-endpoint",
        receiver.url,
        "--otlp-contents",
      ],
      { cwd, env: { TRACEPARENT: "nonsense" } },
    );
    const [root] = spansIn(receiver.received);
    expect(stdout.toString()).toBe(`00-${root?.traceId}-${root?.spanId}-01\n`);
    expect(root?.parentSpanId).toBe("");
    expect(stderr).toBe("harness: warning: TRACEPARENT is not valid, so the run begins a trace of its own\n");
    expect(root?.attributes["gen_ai.input.messages"]?.stringValue).toContain("show TRACEPARENT");
  });

  it("sends nothing without the option, whatever the environment says", async () => {
    const receiver = await startReceiver();
    const { exitCode } = await harness([...task, "--binary", agent], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.url },
    });
    expect(exitCode).toBe(0);
    expect(receiver.received).toEqual([]);
  });

  it("sends the same spans again when the recorded run is exported", async () => {
    const receiver = await startReceiver();
    const to = ["--otlp-endpoint", receiver.url];
    const { stdout } = await harness([
      "run",
      "Do it",
      "-a",
      "claude",
      "--binary",
      agent,
      "-f",
      "json",
      ...to,
    ]);
    const live = spansIn(receiver.received.splice(0));
    const [{ runId } = {}] = jsonLines(stdout);
    const exported = await harness(["sessions", "export", String(runId), ...to]);
    expect(exported).toMatchObject({ exitCode: 0, stderr: "harness: sent 4 spans\n" });
    const facts = ({ traceId, spanId, parentSpanId, name }: DecodedSpan) => ({
      traceId,
      spanId,
      parentSpanId,
      name,
    });
    expect(spansIn(receiver.received).map(facts)).toEqual(live.map(facts));
    expect(live).toHaveLength(4);
    const lost = await harness([
      "sessions",
      "export",
      String(runId),
      "--otlp-endpoint",
      await addressOfNobody(),
    ]);
    expect(lost).toMatchObject({
      exitCode: 74,
      stderr: expect.stringContaining("4 of 4 spans could not be sent"),
    });
  });

  it("prints the end of the run before an endpoint that hangs has answered", async () => {
    const held: ServerResponse[] = [];
    const receiver = await startReceiver((response) => held.push(response));
    const command = startHarness([...task, "--binary", agent, "--otlp-endpoint", receiver.url]);
    await command.says('"type":"Result"');
    await receiver.hasReceived(1);
    expect(command.child.exitCode).toBeNull();
    for (const response of held) response.writeHead(200).end();
    expect(await command.ended).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("gives up on a second signal", async () => {
    const receiver = await startReceiver(() => undefined);
    const command = startHarness([...task, "--binary", agent, "--otlp-endpoint", receiver.url]);
    await receiver.hasReceived(1);
    // Two signals at once may arrive as one.
    const impatience = setInterval(() => command.child.kill("SIGINT"), 50);
    const { stderr, stdout } = await command.ended;
    clearInterval(impatience);
    expect(stderr).toMatch(
      /4 of 4 spans could not be sent to http:\/\/127\.0\.0\.1:\d+: it did not answer in time/,
    );
    expect(stdout.toString()).toContain('"type":"Result"');
  });

  it("has the same exit code if the endpoint answers with an error", async () => {
    const receiver = await startReceiver((response) => response.writeHead(500).end("no"));
    const failing = programThatReplays("claude", "api401");
    const { exitCode, stderr } = await harness([
      ...task,
      "--binary",
      failing,
      "--otlp-endpoint",
      receiver.url,
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `harness: 1 of 1 spans could not be sent to ${receiver.url}: it answers with status 500. The run is not affected.\n`,
    );
    expect(receiver.received.map(({ path }) => path)).toEqual(["/v1/traces"]);
  });

  it("says in one sentence that nobody listens", async () => {
    const url = await addressOfNobody();
    const { exitCode, stderr, stdout } = await harness([...task, "--binary", agent, "--otlp-endpoint", url]);
    expect(exitCode).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "Result" });
    expect(stderr).toBe(
      `harness: 4 of 4 spans could not be sent to ${url}: the connection is refused. The run is not affected.\n`,
    );
  });

  it.each([
    [{ endpoint: "localhost:4318" }, {}, "must be an address that begins with http:// or https://"],
    [{ endpoint: "http://me:hunter2@localhost" }, {}, "must not have a user or a password"],
    [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "hunter2" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be an address"],
    [
      {},
      { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json",
    ],
    [{}, { OTEL_EXPORTER_OTLP_HEADERS: "hunter2" }, "OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs"],
    [
      {},
      { OTEL_EXPORTER_OTLP_HEADERS: "a=hunter2%0A" },
      "OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs",
    ],
    [{}, { OTEL_EXPORTER_OTLP_CERTIFICATE: "/nowhere.pem" }, "cannot be read: there is no such file"],
  ])("refuses what cannot be meant, without quoting it: %j %j", async (options, env, words) => {
    const problem = await createOtlpFollower({ ...options, env }).catch((error: Error) => error.message);
    expect(problem).toContain(words);
    expect(problem).not.toContain("hunter2");
  });

  it("starts no agent if the endpoint is invalid, or an option has no effect", async () => {
    const file = `${temporaryDirectory()}/started`;
    const binary = program(`require("node:fs").writeFileSync(${JSON.stringify(file)}, "")`);
    const bad = await harness([...task, "--binary", binary, "--otlp-endpoint", "ftp://x"]);
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("http://") });
    const idle = await harness([...task, "--binary", binary, "--otlp-contents"]);
    expect(idle).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("add --otlp") });
    await expect(import("node:fs/promises").then(({ stat }) => stat(file))).rejects.toThrow("ENOENT");
  });
});

describe("createOtlpFollower", () => {
  function steps(...given: Given[]): Step[] {
    return eventsOf(...given).map((event) => ({ events: [event] }));
  }

  const call = (number: number): Given[] => [
    { type: "tool_start", callId: `c${number}`, name: "Bash" },
    { type: "tool_end", callId: `c${number}`, name: "Bash", isSuccess: true, output: "x".repeat(10_000) },
  ];

  it("sends JSON where protobuf is not wanted, and tries again when asked to wait", async () => {
    const receiver = await startReceiver((response, _, number) =>
      response.writeHead(number === 1 ? 503 : 200, { "retry-after": "0" }).end(),
    );
    const env = {
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v2`,
    };
    const follower = await createOtlpFollower({ env });
    follower.push(steps(started, succeeded, completed));
    await follower.end();
    expect(follower.report).toEqual({ sent: 1, givenUp: 0 });
    expect(receiver.received.map(({ path, headers }) => [path, headers["content-type"]])).toEqual([
      ["/v2", "application/json"],
      ["/v2", "application/json"],
    ]);
    expect(spansOfJson(String(receiver.received[1]?.body)).map(({ name }) => name)).toEqual([
      "invoke_agent claude",
    ]);
  });

  it("keeps what waits for a hanging endpoint within a limit, and gives up the oldest spans first", async () => {
    const held: ServerResponse[] = [];
    let isHanging = true;
    const receiver = await startReceiver((response) => (isHanging ? held.push(response) : response.end()));
    const problems: string[] = [];
    const follower = await createOtlpFollower({
      endpoint: receiver.url,
      hasContents: true,
      env: {},
      onProblem: (problem) => problems.push(problem),
    });
    follower.push(steps(started, ...Array.from({ length: 2000 }, (_, number) => call(number)).flat()));
    follower.push(steps(succeeded, completed));
    const ended = follower.end();
    await receiver.hasReceived(1);
    // Nothing else is sent while one request is under way.
    expect(held).toHaveLength(1);
    isHanging = false;
    held[0]?.end();
    await ended;
    const { sent, givenUp } = follower.report;
    expect(sent + givenUp).toBe(2001);
    expect(givenUp).toBeGreaterThan(1000);
    const spans = spansIn(receiver.received);
    expect(spans).toHaveLength(sent);
    expect(spans.at(-1)?.name).toBe("invoke_agent claude");
    expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThan(1024 * 1024);
    expect(problems).toEqual([expect.stringContaining("it is too slow, and too much was waiting for it")]);
  });

  it.each([302, 400, 401])("gives up at once if the answer is %d", async (status) => {
    const receiver = await startReceiver((response) =>
      response.writeHead(status, { location: "/more" }).end(),
    );
    const follower = await createOtlpFollower({ endpoint: receiver.url, env: {} });
    follower.push(steps(started, completed));
    await follower.end();
    expect(follower.report).toEqual({ sent: 0, givenUp: 1, problem: `it answers with status ${status}` });
    expect(receiver.received).toHaveLength(1);
  });

  it("says how to install the packages if they are missing", async () => {
    vi.resetModules();
    vi.doMock("@opentelemetry/otlp-transformer", () => {
      throw new Error("Cannot find package");
    });
    const { createOtlpFollower: create } = await import("../../src/sending/otlp/follower.js");
    await expect(create({ env: {} })).rejects.toMatchObject({
      code: "missing_package",
      message: expect.stringContaining("npm install @opentelemetry/api"),
    });
    vi.doUnmock("@opentelemetry/otlp-transformer");
  });

  it("sends a run whose end is missing", async () => {
    const receiver = await startReceiver();
    const follower = await createOtlpFollower({ endpoint: receiver.url, env: {} });
    follower.begin?.({ prompt: "not sent" });
    follower.push(steps(started, ...call(1).slice(0, 1)));
    await follower.end();
    const spans = spansIn(receiver.received);
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
      ["execute_tool Bash", 2],
      ["invoke_agent claude", 2],
    ]);
  });
});
