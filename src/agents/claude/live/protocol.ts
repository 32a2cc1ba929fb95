import type { LiveProtocol } from "../../live-contract.js";
import { launchClaudeLive } from "./launch.js";
import { createClaudeLiveMapping } from "./mapping.js";
import { createClaudePeer } from "./peer.js";

/** Claude Code's own protocol: the stream of one-shot runs, with requests and answers on standard input and output. */
export const claudeLive: LiveProtocol = {
  id: "stream-json",
  abilities: {
    ask: true,
    questions: true,
    steer: true,
    setModel: true,
    always: true,
    denyReason: true,
    changeInput: true,
    usage: "request",
    cost: true,
    plan: true,
    resume: true,
  },
  /** A hook makes it ask before every call, those of subagents included. */
  unasked: [],
  options: ["mcpServers", "effort", "allowedTools"],
  launch: launchClaudeLive,
  createMapping: createClaudeLiveMapping,
  createPeer: createClaudePeer,
};
