/*
 * What differs between the live protocols when a transcript is replayed or driven: how a line is read, which lines of the client the
 * transcript waits for, and the plain answer to the others.
 */

/** A line that is not JSON is an empty message: it has no kind and no id. */
function parse(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** JSON-RPC, with and without `jsonrpc`. */
const rpc = {
  sent({ method, id, result, error }) {
    if (method !== undefined) return { kind: method, id };
    if (result !== undefined || error !== undefined) return { kind: `answer:${id}` };
    return { kind: "unreadable" };
  },
  answerTo: ({ method, id }) => (method === undefined ? id : undefined),
  asks: ({ method, id }) => (method === undefined ? undefined : id),
  withId: (message, id) => JSON.stringify({ ...message, id }),
};

export const protocols = {
  "stream-json": {
    joins: true,
    sent(message) {
      if (message.type === "control_request")
        return { kind: `control_request:${message.request?.subtype}`, id: message.request_id };
      if (message.type === "control_response") return { kind: `answer:${message.response?.request_id}` };
      return { kind: message.type ?? "unreadable" };
    },
    answerTo: ({ type, response }) => (type === "control_response" ? response?.request_id : undefined),
    asks: ({ type, request_id }) => (type === "control_request" ? request_id : undefined),
    withId: (message, id) =>
      JSON.stringify({ ...message, response: { ...message.response, request_id: id } }),
    awaited: /^(?:user|control_request:(?:initialize|interrupt)|answer:.*)$/,
    plain: ({ id }) => ({
      type: "control_response",
      response: { subtype: "success", request_id: id, response: {} },
    }),
    actions: {
      user: ({ message }) => ({
        do: "prompt",
        text: typeof message.content === "string" ? message.content : message.content[0].text,
      }),
      "control_request:interrupt": () => ({ do: "interrupt" }),
    },
    strange: { type: "control_request", request_id: "strange", request: { subtype: "nobody_knows" } },
  },
  "app-server": {
    ...rpc,
    resumed: ({ kind, params }) => (kind === "thread/resume" ? params.threadId : undefined),
    awaited: /^(?:initialized?|thread\/(?:start|resume)|turn\/(?:start|steer|interrupt)|answer:.*)$/,
    plain: ({ id }) => ({ id, result: {} }),
    actions: {
      "turn/start": ({ params }) => ({ do: "prompt", text: params.input[0].text }),
      "turn/steer": ({ params }) => ({ do: "steer", text: params.input[0].text }),
      "turn/interrupt": () => ({ do: "interrupt" }),
    },
    strange: { id: "strange", method: "nobody/knows", params: {} },
  },
  rpc: {
    sent: ({ type, id }) =>
      type === "extension_ui_response" ? { kind: `answer:${id}` } : { kind: type ?? "unreadable", id },
    answerTo: ({ type, id }) => (type === "response" ? id : undefined),
    asks: ({ type, id }) => (type === "extension_ui_request" ? id : undefined),
    withId: (message, id) => JSON.stringify({ ...message, id }),
    awaited: /^(?:prompt|steer|abort|answer:.*)$/,
    plain: ({ id, kind }) => ({ id, type: "response", command: kind, success: true, data: {} }),
    actions: {
      prompt: ({ message }) => ({ do: "prompt", text: message }),
      steer: ({ message }) => ({ do: "steer", text: message }),
      abort: () => ({ do: "interrupt" }),
    },
    // The person of the transcripts sent the next prompt after `agent_end`. A turn is over only now.
    early: ({ type }) => type === "agent_settled",
    strange: { type: "extension_ui_request", id: "strange", method: "nobody_knows" },
  },
  acp: {
    ...rpc,
    resumed: ({ kind, params }) => (kind === "session/load" ? params.sessionId : undefined),
    awaited: /^(?:initialize|session\/(?:new|load|prompt|cancel)|answer:.*)$/,
    plain: ({ id }) => ({ jsonrpc: "2.0", id, result: {} }),
    actions: {
      "session/prompt": ({ params }) => ({ do: "prompt", text: params.prompt[0].text }),
      "session/cancel": () => ({ do: "interrupt" }),
    },
    strange: { jsonrpc: "2.0", id: "strange", method: "nobody/knows", params: {} },
  },
  serve: {
    isStepwise: true,
    joins: true,
    resumed: ({ kind, path }) => (kind === "GET /session/*" ? path.split("/")[2] : undefined),
    awaited: /^(?:POST \/session|POST \/session\/\*\/(?:prompt_async|abort)|answer:.*)$/,
    actions: {
      "POST /session/*/prompt_async": ({ parts }) => ({ do: "prompt", text: parts[0].text }),
      "POST /session/*/abort": () => ({ do: "interrupt" }),
    },
  },
};

/** The name of a transcript's folder begins with its protocol. */
export function protocolOf(folder) {
  return Object.keys(protocols).find((name) => folder.startsWith(`${name}-`));
}

/** A request to a server: `POST /session/ID/abort {json}`. What it is about is in its path, and ids do not matter but in answers. */
export function readRequest(method, path, body = "") {
  const [, room, id, verb] = path.split("/");
  const isAnswer = room !== "session" && verb !== undefined;
  const place = ["", room, id && "*", verb].filter((part) => part !== undefined).join("/");
  // Somebody goes on with a session, and may change it meanwhile.
  const kind = isAnswer ? `answer:${id}` : `${method === "PATCH" ? "GET" : method} ${place}`;
  return { kind, message: parse(body) };
}

/**
 * The lines of a transcript. `in`: its kind, the id of the request, and what a person did (`action`). `out`: the id of the
 * request that it answers (`answers`), or that it makes itself (`asks`). `resumed`: the session that the client went on with.
 */
export function readEntries(text, name) {
  const lines = text.split("\n").filter((line) => line !== "");
  const read = name === "serve" ? createServeReader() : (entry) => readMessage(entry, protocols[name]);
  const entries = lines.map((line) => read(JSON.parse(line)));
  return inOrder(entries, protocols[name]);
}

/** A server shows the call that it asked about without waiting for the answer. Whatever the answer causes comes after `replied`. */
function beforeAnswer(ordered, { line }) {
  const answer = ordered.findLastIndex(({ dir }) => dir === "in");
  const isSettled = /"type":"[a-z]+\.(?:replied|rejected)"/;
  const isOpen = ordered[answer]?.kind.startsWith("answer:");
  const isOver = isSettled.test(line) || ordered.slice(answer).some((entry) => isSettled.test(entry.line));
  return isOpen && !isOver ? answer : ordered.length;
}

/**
 * What this client cannot wait for comes earlier. The transcript's person sent a prompt before the end of a turn was printed, and
 * made several requests to a server at once.
 */
function inOrder(entries, { early = () => false, isStepwise = false }) {
  const ordered = [];
  for (const entry of entries) {
    const last = ordered.findLastIndex(({ dir }) => dir === "out");
    const asked = ordered.findIndex(({ dir, id }) => dir === "in" && id === entry.answers);
    if (entry.dir === "out" && early(entry.message)) ordered.splice(last + 1, 0, entry);
    else if (isStepwise && entry.answers !== undefined) ordered.splice(asked + 1, 0, entry);
    else if (isStepwise && entry.dir === "out") ordered.splice(beforeAnswer(ordered, entry), 0, entry);
    else ordered.push(entry);
  }
  return ordered;
}

function readMessage({ dir, line }, protocol) {
  if (line === "<stdin closed>") return { dir: "closed", line };
  const message = parse(line);
  if (dir === "out")
    return { dir, line, message, answers: protocol.answerTo(message), asks: protocol.asks(message) };
  if (dir === "err") return { dir, line };
  const { kind, id } = protocol.sent(message);
  const resumed = protocol.resumed?.({ kind, params: message.params });
  return { dir, line, kind, id, resumed, action: actionOf(kind, message, protocol) };
}

/** A server answers its requests one after the other. */
function createServeReader() {
  let asked = 0;
  let answered = 0;
  return ({ dir, line }) => {
    if (line === "<stdin closed>") return { dir: "closed", line };
    if (dir === "out") return { dir, line, answers: line.startsWith("HTTP ") ? answered++ : undefined };
    if (dir === "err") return { dir, line };
    const [, method, path, body] = /^(\S+) (\S+) ?(.*)$/s.exec(line);
    const { kind, message } = readRequest(method, path, body);
    const resumed = protocols.serve.resumed({ kind, path });
    return { dir, line, kind, id: asked++, resumed, action: actionOf(kind, message, protocols.serve) };
  };
}

function actionOf(kind, message, { actions }) {
  if (kind.startsWith("answer:")) return { do: "answer", id: kind.slice("answer:".length) };
  return Object.hasOwn(actions, kind) ? actions[kind](message) : undefined;
}
