#!/usr/bin/env node
/**
 * An agent that speaks Claude Code's live protocol. A prompt `speak LINES PAUSE_MS` prints timestamped lines; `hold` works until it
 * is interrupted, and its last line says when it had ended.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { stampedLine } from "../stamped-line.mjs";

const print = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const usage = { input_tokens: 1, output_tokens: 1 };
const init = {
  type: "system",
  subtype: "init",
  session_id: "bench",
  model: "opus",
  cwd: process.cwd(),
  tools: [],
};
const result = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  session_id: "bench",
  usage,
  total_cost_usd: 0,
};
const interrupted = {
  ...result,
  subtype: "error_during_execution",
  is_error: true,
  terminal_reason: "aborted_tools",
  errors: [],
};

async function prompted(text) {
  const [what, lines, pauseMs] = text.split(" ");
  print(init);
  if (what === "hold") return;
  for (let n = 0; n < Number(lines); n++) {
    writeSync(1, stampedLine(process.hrtime.bigint()));
    await sleep(Number(pauseMs));
  }
  print(result);
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "user") {
      const { content } = message.message;
      return prompted(typeof content === "string" ? content : content[0].text);
    }
    if (message.type !== "control_request") return;
    const { request_id, request } = message;
    print({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
    if (request.subtype !== "interrupt") return;
    writeSync(1, stampedLine(process.hrtime.bigint()));
    print(interrupted);
  })
  .on("close", () => process.exit(0));
