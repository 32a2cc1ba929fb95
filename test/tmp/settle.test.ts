import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { call, readFile, say } from "../../src/testing/index.js";
import { prepareStage } from "../real/stage.js";
const A = process.env.A!;
const bin = { gemini: "gemini/0.61.0/node_modules/.bin/gemini", qwen: "qwen/0.24.4/run-with-node" }[A]!;
it("settles", async () => {
  const out: string[] = [];
  for (const settle of [0, 300, 1000]) {
    const stage = await prepareStage({ agent: A, script: { turns: [[call(readFile("README.md"))], [say("My first answer.")]] }, files: { "README.md": "# Demo\n" } });
    const c = spawn(process.env.HOME + "/.cache/harness/agents/" + bin, ["--acp", ...(A === "gemini" ? ["--skip-trust"] : [])], { cwd: stage.workspace, env: stage.env, stdio: ["pipe", "pipe", "ignore"] });
    let got = ""; c.stdout.on("data", (d) => { got += d; });
    const wait = async (s: string) => { while (!got.includes(s)) await new Promise((r) => setTimeout(r, 5)); };
    const send = (m: object) => c.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\n");
    send({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } }); await wait('"id":1');
    send({ id: 2, method: "session/new", params: { cwd: stage.workspace, mcpServers: [] } }); await wait('"id":2');
    const id = /"sessionId":"([^"]+)"/.exec(got)![1];
    send({ id: 3, method: "session/prompt", params: { sessionId: id, prompt: [{ type: "text", text: "Remember 42" }] } }); await wait('"id":3');
    await new Promise((r) => setTimeout(r, settle));
    const t = Date.now(); c.stdin.end(); setTimeout(() => c.kill("SIGKILL"), 5000);
    await new Promise((r) => c.on("exit", r));
    const files = readdirSync(stage.home, { recursive: true }).map(String).filter((f) => /\.jsonl?$/.test(f) && f.includes(id.slice(0, 8)));
    out.push(`${A} settle ${settle}: exit after ${Date.now() - t} ms; ` + files.map((f) => `${f}: ${readFileSync(join(stage.home, f), "utf8").includes("My first answer")}`).join(", "));
    await stage.close();
  }
  writeFileSync(`/tmp/settle-${A}.txt`, out.join("\n"));
}, 120_000);
