#!/usr/bin/env node
// Prints a number of megabytes. Arguments: stdout or stderr (lines of 1 KB), long (lines of 4 MB), line (one line); MB.
import { writeSync } from "node:fs";

const [kind, megabytes] = process.argv.slice(2);
const file = kind === "stderr" ? 2 : 1;
const megabyte = 1024 * 1024;
const pause = new Int32Array(new SharedArrayBuffer(4));

function print(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

const short = Buffer.from(`{"type":"say","text":"${"x".repeat(1000)}"}\n`.repeat(64));
const text = Buffer.from('all work and no play \\"makes\\" jack a dull boy\\n'.repeat(1024));
const lineMegabytes = kind === "line" ? Number(megabytes) : 4;

if (kind === "stdout" || kind === "stderr") {
  for (let sent = 0; sent < Number(megabytes) * megabyte; sent += short.length) print(short);
} else {
  for (let sent = 0; sent < Number(megabytes); sent += lineMegabytes) {
    print(Buffer.from('{"type":"say","text":"'));
    for (let part = 0; part < lineMegabytes * megabyte; part += text.length) print(text);
    print(Buffer.from('"}\n'));
  }
}
