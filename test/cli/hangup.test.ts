import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { commandPath, homeEnvironment, program, temporaryDirectory } from "./harness.js";

/** Says who it is and who started it, which is the command, and stays until SIGUSR1 comes. */
const agent = program(`
  process.on("SIGUSR1", () => { console.log('"bye"'); process.exit(0); });
  console.log(JSON.stringify({ pid: process.pid, harness: process.ppid }));
  setInterval(() => undefined, 1000);
`);

const command = `"${process.execPath}" "${commandPath}" run -a generic -p x --binary "${agent}" --format raw`;

interface Ended {
  exitCode: string;
  lines: string[];
}

/** Runs a line of a shell, sends SIGHUP to the command when its agent is up, then tells the agent to exit if it is to go on. */
async function hangUp(shell: string, line: string, { goesOn = true } = {}): Promise<Ended> {
  const child = spawn(shell, ["-c", `${line}\nwait $!; echo "exit code $?"`], {
    cwd: temporaryDirectory(),
    env: { ...process.env, ...homeEnvironment() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (text) => {
    lines.push(text);
    if (!text.startsWith("{")) return;
    const { pid, harness } = JSON.parse(text);
    process.kill(harness, "SIGHUP");
    if (goesOn) process.kill(pid, "SIGUSR1");
  });
  await once(child, "close");
  return { exitCode: lines.at(-1)?.replace("exit code ", "") ?? "", lines };
}

describe.runIf(process.platform === "linux")("a hangup", () => {
  it("ends a run", async () => {
    expect(await hangUp("bash", `${command} &`, { goesOn: false })).toMatchObject({ exitCode: "129" });
  });

  it.each([
    { name: "nohup", shell: "bash", line: `nohup ${command} &` },
    { name: "a shell that ignores it", shell: "sh", line: `trap '' HUP\n${command} &` },
  ])("does not end one that was started by $name", async ({ shell, line }) => {
    const { exitCode, lines } = await hangUp(shell, line);
    expect(lines).toContain('"bye"');
    expect(exitCode).toBe("0");
  });

  it("is recognised by the input that nohup leaves, when the shell does not tell", async () => {
    const { exitCode, lines } = await hangUp("sh", `${command} 0> /dev/null &`);
    expect(lines).toContain('"bye"');
    expect(exitCode).toBe("0");
  });
});
