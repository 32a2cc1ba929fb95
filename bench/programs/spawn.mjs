/** The simplest program of this kind: starts a program and reads its output to the end. */
import { spawn } from "node:child_process";

const child = spawn(process.argv[2], { stdio: ["ignore", "pipe", "inherit"] });
for await (const chunk of child.stdout) process.stdout.write(chunk);
