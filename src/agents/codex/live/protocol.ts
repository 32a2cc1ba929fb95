import type { LiveProtocol } from "../../live-contract.js";
import type { StreamedText } from "../../streamed-text.js";
import { codexGranted } from "./granted.js";
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
  /** Every command, every patch and every MCP tool is asked for. The launch turns off what cannot be asked for. */
  unasked: [],
  granted: codexGranted,
  options: ["mcpServers", "effort"],
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
