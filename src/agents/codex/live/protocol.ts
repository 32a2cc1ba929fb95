import type { LiveProtocol } from "../../live-contract.js";
import type { StreamedText } from "../../streamed-text.js";
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

/** Every piece names its item. Messages and reasoning end with it, the output of a command too. */
export const appServerText: StreamedText = {
  pieces: [
    {
      when: {
        method: [
          "item/agentMessage/delta",
          "item/plan/delta",
          "item/reasoning/summaryTextDelta",
          "item/reasoning/textDelta",
          "item/commandExecution/outputDelta",
        ],
      },
      text: ["params.delta"],
      key: ["params.itemId"],
    },
  ],
  ends: [
    { when: { method: "item/completed" }, key: ["params.item.id"] },
    { when: { method: ["turn/completed", "error"] } },
  ],
};
