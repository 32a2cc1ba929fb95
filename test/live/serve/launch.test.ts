import { describe, expect, it } from "vitest";
import { kilo } from "../../../src/agents/kilo/definition.js";
import type { LiveTask } from "../../../src/agents/live-contract.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { readTranscript } from "../../support/transcripts.js";

const task: LiveTask = {
  cwd: "/repo",
  permissions: "full-access",
  password: "secret",
  directory: "/tmp/session",
  extraArgs: ["--print-logs"],
};
const serve = ["serve", "--hostname", "127.0.0.1", "--port", "0", "--print-logs"];

describe("the launch of a server", () => {
  it("is on the loopback interface, with a password and the user's own permissions", () => {
    expect(opencode.live?.launch(task)).toEqual({
      args: serve,
      env: { OPENCODE_SERVER_PASSWORD: "secret", OPENCODE_SERVER_USERNAME: "opencode" },
    });
    expect(kilo.live?.launch(task)).toEqual({
      args: serve,
      env: { KILO_NO_DAEMON: "1", KILO_SERVER_PASSWORD: "secret", KILO_SERVER_USERNAME: "kilo" },
    });
  });

  it("is as restricted as a one-shot run if it is read-only", () => {
    const oneShot = { ...task, permissions: "read-only" as const, prompt: "" };
    for (const [agent, variable] of [
      [opencode, "OPENCODE_PERMISSION"],
      [kilo, "KILO_PERMISSION"],
    ] as const) {
      const env = agent.live?.launch({ ...task, permissions: "read-only" }).env;
      expect(env?.[variable]).toBe(agent.launch(oneShot).env?.[variable]);
    }
  });

  it("asks for everything in a session that asks", () => {
    const { env } = opencode.live?.launch({ ...task, permissions: "ask" }) ?? {};
    expect(JSON.parse(env?.["OPENCODE_PERMISSION"] ?? "")).toMatchObject({ "*": "ask", todowrite: "allow" });
  });
});

describe("the server", () => {
  const { http } = opencode.live ?? {};

  it("prints its address", () => {
    const lines = readTranscript("serve-opencode", "all").lines.map(({ line }) => line);
    expect(lines.flatMap((line) => http?.addressOf(line) ?? [])).toEqual(["http://127.0.0.1:4096"]);
    expect([http?.user, kilo.live?.http?.user]).toEqual(["opencode", "kilo"]);
  });

  it("has a heartbeat that is not a sign of work", () => {
    const { lines } = readTranscript("serve-kilo", "hello");
    const beats = lines.filter(({ line }) => http?.isHeartbeat?.(line));
    expect(beats).toHaveLength(2);
    const quoted = JSON.stringify({ type: "message.part.delta", properties: { delta: beats[0]?.line } });
    expect(http?.isHeartbeat?.(`SSE ${quoted}`)).toBe(false);
  });
});
