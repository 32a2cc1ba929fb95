import type { LiveProtocol } from "../../live-contract.js";
import type { ServeDialect } from "./dialect.js";
import { launchServe } from "./launch.js";
import { createServeMapping } from "./mapping.js";
import { createServePeer } from "./peer.js";

/** Sent every ten seconds, and shorter than any line that could quote it. */
const heartbeat = '"type":"server.heartbeat"';
const address = /\blistening on (http:\/\/\S+)/;

/** `serve`: HTTP for what is sent, and a stream of server-sent events for what happens. */
export function createServeProtocol(dialect: ServeDialect): LiveProtocol {
  return {
    id: "serve",
    abilities: {
      ask: true,
      questions: true,
      steer: true,
      setModel: true,
      always: true,
      denyReason: true,
      changeInput: false,
      usage: "request",
      cost: true,
      plan: true,
      resume: true,
    },
    unasked: [],
    http: {
      addressOf: (line) => address.exec(line)?.[1],
      user: dialect.prefix.toLowerCase(),
      events: "/event",
      isHeartbeat: (line) => line.length < 200 && line.includes(heartbeat),
    },
    options: ["mcpServers"],
    launch: (task) => launchServe(task, dialect),
    createMapping: () => createServeMapping(dialect.stream),
    createPeer: (host, task) => createServePeer(dialect, host, task),
  };
}
