import { appendFileSync } from "node:fs";

/**
 * Replays the lines of a transcript to a client. Where the transcript has a line of the client, it waits until the client has sent
 * one of the same kind. What the client sends besides is answered with what the transcript has for such a request, or with the
 * protocol's plain success.
 */
export function createReplay({ entries, protocol, host }) {
  /** The client's requests, by the ids of those in the transcript. */
  const claimed = new Map();
  /** Requests of the transcript that this client does not make. */
  const skipped = new Set();
  let waiting = [];
  let at = 0;
  let printed = 0;
  let isOver = false;
  let hasInputEnded = false;

  function say(line, client) {
    printed += 1;
    host.say(line, client);
  }

  const steps = {
    err: ({ line }) => host.complain(line),
    out({ line, message, answers }) {
      if (answers !== undefined && skipped.has(answers)) return;
      const client = answers === undefined ? undefined : claimed.get(answers);
      if (client === undefined) return say(line);
      say(protocol.withId === undefined ? line : protocol.withId(message, client.id), client);
    },
    in({ kind, id }) {
      if (!protocol.awaited.test(kind)) return void skipped.add(id);
      const found = waiting.findIndex((client) => client.kind === kind);
      // A client that goes on does not answer what was withdrawn.
      if (found < 0)
        return isAnswer(kind) && waiting.some((client) => !isAnswer(client.kind)) ? undefined : "wait";
      claimed.set(id, waiting[found]);
      waiting = waiting.toSpliced(found, 1);
    },
    closed: () => (hasInputEnded ? undefined : "wait"),
  };

  function goOn() {
    while (at < entries.length) {
      if (steps[entries[at].dir](entries[at]) === "wait") return waitHere();
      at += 1;
    }
    finish();
  }

  function waitHere() {
    host.log({ at, printed });
    if (hasInputEnded) finish();
  }

  function finish() {
    if (isOver) return;
    isOver = true;
    host.log({ at: entries.length, printed });
    host.finish();
  }

  function isExpected(kind) {
    if (!protocol.awaited.test(kind)) return false;
    const count = entries.slice(at).filter((entry) => entry.dir === "in" && entry.kind === kind).length;
    return count > waiting.filter((client) => client.kind === kind).length;
  }

  /** What the transcript answers to such a request, or the plain success. */
  function answer(client) {
    const example = entries.find(({ dir, kind }) => dir === "in" && kind === client.kind);
    const reply = example && entries.find(({ dir, answers }) => dir === "out" && answers === example.id);
    if (reply !== undefined && protocol.withId !== undefined)
      return say(protocol.withId(reply.message, client.id), client);
    say(reply?.line ?? host.plain(client), client);
  }

  return {
    begin: goOn,
    received(client) {
      if (isOver) return;
      if (isExpected(client.kind)) waiting.push(client);
      else if (client.id !== undefined) answer(client);
      goOn();
    },
    inputEnded() {
      hasInputEnded = true;
      goOn();
    },
  };
}

function isAnswer(kind) {
  return kind.startsWith("answer:");
}

/** Says in a file where the replay waits, and how many lines it has printed, for whoever drives the client. */
export function createLog(path) {
  let last = "";
  return (state) => {
    const line = `${JSON.stringify(state)}\n`;
    if (path === undefined || line === last) return;
    last = line;
    appendFileSync(path, line);
  };
}
