import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { directory } from "../inputs/file.mjs";
import { makeRecordings } from "../inputs/recordings.mjs";
import { bestOfEach, cli, runCommand, runNode } from "../measure.mjs";

const idleSeconds = { long: 20, short: 3 };

/** A hundred thousand recordings: `sessions list`, the page's first answer, and the cost of an idle page. */
export async function recordings({ isShort }) {
  const count = Number(process.env.BENCH_RECORDINGS ?? (isShort ? 2000 : 100_000));
  const XDG_DATA_HOME = join(directory, "recordings");
  const place = join(XDG_DATA_HOME, "harness", "sessions");
  makeRecordings(place, count);
  const env = { XDG_DATA_HOME };
  const list = (...flags) => runNode([cli, "sessions", "list", ...flags], { env });
  const built = await bestOfEach({ first: () => list("--outcome", "running") }, 1);
  const times = await bestOfEach({
    node: () => runNode(["-e", "0"]),
    ls: () => runCommand("ls", ["-f", place]),
    plain: () => list(),
    filtered: () => list("--outcome", "failed", "--agent", "codex"),
    all: () => list("--all", "--json"),
    show: () => runNode([cli, "sessions", "show", "20260101-0000"], { env }),
  });
  const page = await measurePage(env, 1000 * idleSeconds[isShort ? "short" : "long"]);
  const title = `${count.toLocaleString("en")} recordings`;
  const { node, ls } = times;
  const row = (figure, value, goal) => ({
    figure: `${title}: ${figure}`,
    value,
    baseline: ls,
    unit: "ms",
    goal,
  });
  const most = (value) => ({ value: { most: value } });
  return [
    row("sessions list / ls -f", times.plain, most(500)),
    row("sessions list, filtered", times.filtered, most(500)),
    row("sessions list --all --json", times.all),
    row("sessions show, by the beginning of an id", times.show, most(500)),
    row("the first list of all, without an index", built.first),
    { ...row("first answer of the page, server just started", page.firstMs, most(1000)), baseline: node },
    { ...row("first answer of the page, again", page.againMs, most(1000)), baseline: node },
    {
      figure: `${title}: the page while nothing happens, of a core`,
      value: page.idle,
      unit: "%",
      goal: most(1),
    },
    { figure: `${title}: memory of the page's server`, value: page.memory, unit: "MB" },
  ];
}

async function measurePage(env, idleMs) {
  const server = spawn(process.execPath, [cli, "view", "--port", "0"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await addressOf(server);
    const first = await firstAnswer(url);
    await first.all;
    const again = await firstAnswer(url);
    await again.all;
    again.close();
    await setTimeout(3000);
    const before = cpuOf(server.pid);
    await setTimeout(idleMs);
    const idle = ((cpuOf(server.pid) - before) / idleMs) * 100;
    const memory =
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
    first.close();
    return { firstMs: first.ms, againMs: again.ms, idle, memory };
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

async function addressOf(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const match = /http:\/\/\S+/.exec(line);
    if (match) return new URL(match[0]);
  }
  throw new Error("the page's server prints no address");
}

/** Milliseconds until the first runs have arrived. `all` resolves when every run has. */
async function firstAnswer(url) {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${url.searchParams.get("token")}` };
  const start = performance.now();
  const response = await fetch(new URL("/api/live", url), { headers, signal: stop.signal });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  const until = async (text) => {
    for (let seen = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the stream has ended");
      seen = seen.slice(-200) + decoder.decode(value, { stream: true });
      if (seen.includes(text)) return;
    }
  };
  await until('"total":');
  const ms = performance.now() - start;
  const all = until('"isAll":true');
  // Continues reading, like a page.
  const rest = all.then(async () => {
    while (!(await reader.read()).done);
  });
  rest.catch(() => undefined);
  return { ms, all, close: () => stop.abort() };
}

/** The CPU time of a process in milliseconds. */
function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}
