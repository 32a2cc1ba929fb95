import { describe, expect, it } from "vitest";
import { createFakeHost, liveTask, requestWithId } from "./fake-host.js";
import { readers, sessionOf, transcripts } from "./read-transcripts.js";
import { problemOf, type WireMessage } from "./schemas.js";

function parse(line: string): WireMessage | undefined {
  try {
    return JSON.parse(line) as WireMessage;
  } catch {
    return undefined;
  }
}

describe("the official schemas", () => {
  it.each(transcripts)("accept what the agent sent in %s, so the transcripts are the protocol", (name) => {
    const asked = new Map<string, string>();
    for (const { dir, line } of sessionOf(name).transcript.lines) {
      const message = dir === "err" ? undefined : parse(line);
      if (message === undefined) continue;
      if (dir === "in" && message.method !== undefined) asked.set(JSON.stringify(message.id), message.method);
      if (dir === "out") expect(problemOf(message, asked.get(JSON.stringify(message.id)))).toBeUndefined();
    }
  });

  /** The peer gets the lines of the agent in their order, with the ids that it waits for, and answers every request. */
  it.each(transcripts)("accept what harness sends to the agent of %s", (name) => {
    const [folder = ""] = name.split("/");
    const host = createFakeHost();
    const peer = readers[folder]?.live?.createPeer(host, liveTask);
    if (peer === undefined) throw new Error(`no peer for ${folder}`);
    const asked = new Map<string, string>();
    const given = new Map<string, string>();
    peer.open();
    for (const { dir, line } of sessionOf(name).transcript.lines) {
      const message = dir === "err" ? undefined : parse(line);
      if (message === undefined) continue;
      if (dir === "in") {
        if (message.method === "session/prompt" && host.isReady) peer.prompt("Hello", "turn");
        if (message.method === "session/cancel") peer.interrupt();
        if (message.method !== undefined) given.set(JSON.stringify(message.id), message.method);
        continue;
      }
      const method = message.method === undefined ? given.get(JSON.stringify(message.id)) : undefined;
      const ours = host.sent.findLast((sent) => sent.method === method)?.id;
      peer.received(JSON.stringify(method === undefined ? message : { ...message, id: ours }));
      if (message.method === undefined || message.id === undefined) continue;
      asked.set(JSON.stringify(message.id), message.method);
      peer.answer(requestWithId(String(message.id)), { allow: true }, {});
      expect(host.sent.some((sent) => sent.method === undefined && sent.id === message.id)).toBe(true);
    }
    for (const message of host.sent)
      expect(problemOf(message, asked.get(JSON.stringify(message.id)))).toBeUndefined();
  });
});
