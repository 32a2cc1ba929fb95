import { writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { open } from "../../src/live/open.js";
import { call, delegate, listDirectory, findFiles, readFile, runCommand, say, search, writeFile, editFile } from "../../src/testing/index.js";
import { prepareStage } from "../real/stage.js";

const A = process.env.A!;
const perm = (process.env.P ?? "ask") as any;
const what = process.env.W ?? "tools";
const binary = { goose: "goose/1.52.0/node_modules/@aaif/goose-binary-linux-x64/bin/goose", gemini: "gemini/0.61.0/node_modules/.bin/gemini", copilot: "copilot/1.0.102/node_modules/.bin/copilot", qwen: "qwen/0.24.4/run-with-node" }[A]!;

const scripts: Record<string, any> = {
  tools: { prompts: ["Do things", "And then?"], turns: [
    [say("Reading."), call(readFile("README.md"))],
    [call(search("return"))],
    [call(listDirectory("."))],
    [call(runCommand("cat README.md"))],
    [call(runCommand("echo bad; exit 3"))],
    [call(editFile("src/add.js", "  return a - b;", "  return a + b;"))],
    [call(writeFile("new.txt", "hello\n"))],
    [say("All done.")],
    [say("Second answer.")],
  ] },
  hello: { prompts: ["Hi"], turns: [[say("Hello.")], [say("Resumed.")], [say("More.")]] },
  deleg: { prompts: ["Delegate"], turns: [[call(delegate("Look around", "TASK-1 list the folder"))], [say("Done.")]], subagents: [{ prompt: "TASK-1", turns: [[call(runCommand("touch by-subagent.txt"))], [say("Sub report.")]] }] },
  interrupt: { prompts: ["Sleep", "Second"], turns: [[call(runCommand("node -e \"setTimeout(()=>{},20000)\""))], [say("After.")], [say("Last.")]] },
};

it("plays", async () => {
  const s = scripts[what];
  const stage = await prepareStage({ agent: A, script: { turns: s.turns, ...(s.subagents && { subagents: s.subagents }) }, files: { "README.md": "# Demo\n\nA small demo.\n", "src/add.js": "export function add(a, b) {\n  return a - b;\n}\n" } });
  const root = process.env.HOME + "/.cache/harness/agents/";
  const out: string[] = [];
  const t0 = Date.now();
  const deny = process.env.DENY ? new RegExp(process.env.DENY) : undefined;
  const session = open({ agent: A, binary: root + binary, cwd: stage.workspace, env: stage.env, permissions: perm, sessionsDirectory: join(stage.home, "rec"), ...(process.env.MODEL && { model: process.env.MODEL }),
    onRequest: (r) => deny?.test(JSON.stringify(r)) ? { allow: false } : ({ allow: true, ...(process.env.ALWAYS && { always: true }) }) });
  const reader = (async () => { for await (const e of session) { const { timestamp, runId, seq, sessionId, ...rest } = e as any; if (e.type === "text" || e.type === "thinking") continue; out.push(`${Date.now() - t0} ${JSON.stringify(rest).slice(0, 420)}`); } })();
  for (const p of s.prompts) {
    const turn = session.send(p);
    if (what === "interrupt" && p === "Sleep") {
      for await (const e of turn) if (e.type === "request_end" || (perm !== "ask" && e.type === "tool_start")) { await new Promise((r) => setTimeout(r, 1500)); const a = Date.now(); await session.interrupt(); out.push(`interrupted in ${Date.now() - a}`); break; }
    }
    const r = await turn.result;
    out.push("TURN " + JSON.stringify(r).slice(0, 300));
  }
  const c = Date.now();
  const result = await session.close();
  out.push(`CLOSED in ${Date.now() - c} ` + JSON.stringify(result).slice(0, 400));
  await reader;
  if (process.env.CHATS) { const { readFileSync } = await import("node:fs"); for (const f of readdirSync(stage.home, { recursive: true })) if (/chats\/.*jsonl?$/.test(String(f))) out.push("CHAT " + f + "\n" + readFileSync(join(stage.home, String(f)), "utf8").slice(0, 3000)); }
  if (process.env.LIST) { const { spawnSync } = await import("node:child_process");  
    const { spawn } = await import("node:child_process");
    await new Promise((r) => setTimeout(r, 61_000 - (Date.now() % 60_000))); for (const wait of [0]) { const c = spawn(root + binary, ["--acp", "--skip-trust"], { cwd: stage.workspace, env: stage.env, stdio: ["pipe", "pipe", "inherit"] }); let got = ""; c.stdout.on("data", (d) => { got += d; });
    c.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}\n');
    while (!got.includes('"id":1')) await new Promise((r) => setTimeout(r, 50));
    await new Promise((r) => setTimeout(r, wait));
    c.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "session/load", params: { sessionId: session.sessionId, cwd: stage.workspace, mcpServers: [] } }) + "\n");
    while (!got.includes('"id":2')) await new Promise((r) => setTimeout(r, 50));
    out.push("LOAD after " + wait + " " + got.slice(-600)); c.kill("SIGKILL"); }
  }
  if (process.env.RESUME) {
    const again = open({ agent: A, binary: root + binary, cwd: stage.workspace, env: stage.env, permissions: perm, sessionsDirectory: join(stage.home, "rec"), resume: session.sessionId!, onRequest: () => ({ allow: true }) });
    const r2 = (async () => { for await (const e of again) { const { timestamp, runId, seq, sessionId, ...rest } = e as any; out.push(`R ${JSON.stringify(rest).slice(0, 300)}`); } })();
    out.push("TURN " + JSON.stringify(await again.send("What was it?").result).slice(0, 300));
    await again.close(); await r2;
    out.push("LAST REQUEST " + JSON.stringify(stage.model.requests.at(-1)).slice(0, 1500));
  }
  out.push("FILES " + readdirSync(stage.workspace, { recursive: true }).join(" "));
  out.push("MODEL " + stage.model.requests.map((r: any) => JSON.stringify(r.toolResults ?? "").slice(0, 200)).join("\n   "));
  const rec = join(stage.home, "rec");
  try { const f = readdirSync(rec, { recursive: true }).filter((x: any) => String(x).endsWith("raw.jsonl")); for (const x of f) { const { readFileSync } = await import("node:fs"); writeFileSync(`/tmp/real-${A}-${what}-${perm}.raw.jsonl`, readFileSync(join(rec, String(x)))); } } catch (e) { out.push(String(e)); }
  writeFileSync(`/tmp/real-${A}-${what}-${perm}.txt`, out.join("\n"));
  out.push("HOME " + readdirSync(stage.home, { recursive: true }).filter((f: any) => !String(f).includes("rec/") ).slice(0, 60).join("\n  ")); writeFileSync(`/tmp/real-${A}-${what}-${perm}.txt`, out.join("\n")); await stage.close();
}, 200_000);
