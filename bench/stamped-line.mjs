/** A message of Claude Code that says when it was printed, in nanoseconds of the machine's clock. */
export function stampedLine(nanoseconds) {
  return `{"type":"assistant","message":{"id":"msg_${nanoseconds}","type":"message","role":"assistant","model":"bench","content":[{"type":"text","text":"at ${nanoseconds}"}],"usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s1"}\n`;
}

/** How many milliseconds ago that was. */
export function ageOf(text) {
  return Number(process.hrtime.bigint() - BigInt(/at (\d+)/.exec(text)[1])) / 1e6;
}
