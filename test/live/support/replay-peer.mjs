#!/usr/bin/env node
/*
 * Plays an agent that speaks a protocol over its pipes, by a transcript: replay-peer.mjs TRANSCRIPT. An agent's program gets its own
 * arguments, so the transcript can also be named by REPLAY_TRANSCRIPT. The folder of the transcript names the protocol.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { protocolOf, protocols, readEntries } from "./replay/protocols.mjs";
import { createLog, createReplay } from "./replay/replay.mjs";

const path = process.env.REPLAY_TRANSCRIPT ?? process.argv[2];
if (process.argv.includes("--version")) {
  console.log("0.0.0");
  process.exit(0);
}
const name = protocolOf(basename(dirname(path)));
const protocol = protocols[name];
const endPath = path.replace(/\.jsonl$/, ".end.json");
const { exit } = existsSync(endPath) ? JSON.parse(readFileSync(endPath, "utf8")) : {};

/** As the transcript's program ended. What was printed is written first. */
function finish() {
  process.stdout.write("", () => {
    if (exit?.signal) process.kill(process.pid, exit.signal);
    else process.exit(exit?.code ?? 0);
  });
}

const replay = createReplay({
  entries: readEntries(readFileSync(path, "utf8"), name),
  protocol,
  host: {
    say: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
    plain: (client) => JSON.stringify(protocol.plain(client)),
    log: createLog(process.env.REPLAY_LOG),
    finish,
  },
});

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [sent] = readEntries(`${JSON.stringify({ dir: "in", line })}\n`, name);
    replay.received(sent);
  })
  .on("close", () => replay.inputEnded());
replay.begin();
