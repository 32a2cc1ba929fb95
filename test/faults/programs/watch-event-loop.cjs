// Loaded into the command with --require. On exit it writes the 90th percentile of the timers' delay to the file named in
// HARNESS_TEST_EVENT_LOOP.
const { writeFileSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("exit", () => {
  const lateMs = delay.percentile(90) / 1e6;
  writeFileSync(process.env.HARNESS_TEST_EVENT_LOOP, JSON.stringify({ lateMs }));
});
