import type { LiveProtocol } from "../../live-contract.js";
import { launchAppServer } from "./launch.js";
import { createAppServerMapping } from "./mapping.js";
import { createAppServerPeer } from "./peer.js";

/** `codex app-server` (recorded with 0.166.0). */
export const appServer: LiveProtocol = {
  id: "app-server",
  abilities: {
    ask: true,
    questions: true,
    steer: true,
    setModel: true,
    always: true,
    /** A decision has no place for a reason. */
    denyReason: false,
    changeInput: false,
    usage: "request",
    cost: false,
    plan: true,
    resume: true,
  },
  /**
   * Every command and every patch is asked for. `view_image` reads a picture without asking, the provider searches the web
   * for the model, and MCP tools that call themselves read-only are used at once (0.166.0).
   */
  unasked: ["read", "fetch", "mcp"],
  launch: launchAppServer,
  createMapping: createAppServerMapping,
  createPeer: createAppServerPeer,
};
