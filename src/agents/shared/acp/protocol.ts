import type { Abilities, LiveProtocol } from "../../live-contract.js";
import type { AcpDialect } from "./dialect.js";
import { createAcpMapping } from "./mapping.js";
import { createAcpPeer, type PeerDialect } from "./peer.js";
import { acpStreamedText } from "./streamed-text.js";

/** What one agent says about its ACP. */
export interface AcpAgentProtocol extends Pick<LiveProtocol, "launch" | "unasked" | "granted"> {
  dialect: AcpDialect;
  peer: PeerDialect;
  abilities: Pick<Abilities, "ask" | "questions" | "always" | "usage" | "cost" | "plan" | "resume">;
}

/** The Agent Client Protocol, version 1, with one agent. */
export function acpProtocol(given: AcpAgentProtocol): LiveProtocol {
  const { dialect, peer, abilities, launch, unasked, granted } = given;
  return {
    id: "acp",
    abilities: {
      ...abilities,
      steer: peer.canSteer === true,
      setModel: peer.canSetModel === true,
      // The protocol has no place for the reason of a denial, nor for another input.
      denyReason: false,
      changeInput: false,
    },
    unasked,
    ...(granted !== undefined && { granted }),
    launch,
    streamedText: acpStreamedText,
    createMapping: createAcpMapping(dialect),
    createPeer: (host, task) => createAcpPeer(peer, host, task),
  };
}
