import type { LiveProtocol } from "../../live-contract.js";
import { launchPiRpc } from "./launch.js";
import { createPiRpcMapping } from "./mapping.js";
import { createPiPeer } from "./peer.js";

/**
 * `pi --mode rpc`. Permissions are asked for by an extension that harness brings along, before every tool call. Questions come
 * from extensions of the user: Pi itself asks none.
 */
export const piRpc: LiveProtocol = {
  id: "rpc",
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
    plan: false,
    resume: true,
  },
  unasked: [],
  options: ["mcpServers", "effort", "allowedTools"],
  launch: launchPiRpc,
  createMapping: createPiRpcMapping,
  createPeer: createPiPeer,
};
