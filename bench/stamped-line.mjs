/** A message of Claude Code with the time of its output, in nanoseconds of the monotonic clock. */
export function stampedLine(nanoseconds) {
  return `{"type":"assistant","message":{"id":"msg_${nanoseconds}","type":"message","role":"assistant","model":"bench","content":[{"type":"text","text":"at ${nanoseconds}"}],"usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s1"}\n`;
}

/** The time of such a line in milliseconds. */
export function timeOf(text) {
  return Number(/at (\d+)/.exec(text)[1]) / 1e6;
}

/** Now, by the same clock. */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The age of such a line in milliseconds. */
export function ageOf(text) {
  return monotonicMs() - timeOf(text);
}
