/** The minimum of work: reads a program's output and splits it into lines. */
import { spawn } from "node:child_process";
import { createLineSplitter } from "../../dist/process/line-splitter.js";

const child = spawn(process.argv[2], { stdio: ["ignore", "pipe", "inherit"] });
let lines = 0;
const splitter = createLineSplitter({
  onLine: () => {
    lines += 1;
  },
});
for await (const chunk of child.stdout) splitter.push(chunk);
splitter.end();
console.log(lines);
