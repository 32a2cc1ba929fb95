// Loaded into the command by --require: how late a tenth of its timers are, written to the file in HARNESS_TEST_EVENT_LOOP when it exits.
const { writeFileSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("exit", () => {
  const lateMs = delay.percentile(90) / 1e6;
  writeFileSync(process.env.HARNESS_TEST_EVENT_LOOP, JSON.stringify({ lateMs }));
});
