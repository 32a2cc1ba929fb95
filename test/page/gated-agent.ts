import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commandPath, program } from "../cli/harness.js";
import type { TestServer } from "./support.js";

/** An agent that speaks as Claude Code does and stops at each gate until it is opened. */
export function gatedAgent(home: string, parts: readonly (readonly object[])[]) {
  const gate = (index: number): string => join(home, `gate-${index}`);
  const binary = program(`
    const { existsSync, writeSync } = require("node:fs");
    const parts = ${JSON.stringify(parts)};
    const gate = (index) => ${JSON.stringify(join(home, "gate-"))} + index;
    const next = (index) => {
      if (index > 0 && !existsSync(gate(index))) return setTimeout(next, 10, index);
      for (const line of parts[index]) writeSync(1, JSON.stringify(line) + "\\n");
      if (index + 1 < parts.length) next(index + 1);
    };
    next(0);
  `);
  return {
    binary,
    /** Lets the part with this number, and all before it, be printed. */
    open(index: number): void {
      for (let each = 1; each <= index; each += 1) writeFileSync(gate(each), "");
    },
  };
}

const session_id = "s";

export const begin = {
  type: "system",
  subtype: "init",
  cwd: "/repo",
  session_id,
  model: "model-1",
  tools: [],
};
export const finish = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "All done.",
  session_id,
};

export function says(text: string, id = text): object {
  return {
    type: "assistant",
    session_id,
    message: { id, role: "assistant", content: [{ type: "text", text }] },
  };
}

export function calls(id: string, name: string, input: object): object {
  return {
    type: "assistant",
    session_id,
    message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  };
}

export function returns(id: string, content: string, is_error = false): object {
  return {
    type: "user",
    session_id,
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error }] },
  };
}

/** `harness run` in another terminal. */
export function runElsewhere(
  server: TestServer,
  binary: string,
  prompt: string,
  options: readonly string[] = [],
): void {
  const child = spawn(
    process.execPath,
    [commandPath, "run", "-a", "claude", "-p", prompt, "--binary", binary, ...options],
    {
      cwd: server.home,
      env: { ...process.env, HOME: server.home, XDG_DATA_HOME: server.home, XDG_CONFIG_HOME: server.home },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
}
