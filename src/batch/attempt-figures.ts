import type { HarnessEvent } from "../events/event.js";
import { classifyFailure } from "../events/failure-kind.js";
import { hasFailed } from "../story/outcomes.js";
import type { CellResult } from "./model/cell.js";

/** What the events of a run say that its result does not. */
export interface AttemptFigures {
  add(event: HarnessEvent): void;
  read(): Pick<CellResult, "agentVersion" | "model" | "throttled" | "turns" | "commands">;
}

export function createAttemptFigures(): AttemptFigures {
  const commands = { run: 0, failed: 0 };
  const messages = new Set<string>();
  let agentVersion: string | undefined;
  let model: string | undefined;
  let throttled = 0;
  let requests = 0;

  return {
    add(event) {
      switch (event.type) {
        case "started":
          agentVersion = event.agentVersion ?? agentVersion;
          return;
        case "session":
          model = event.model ?? model;
          return;
        case "command":
          commands.run += 1;
          if (hasFailed(event)) commands.failed += 1;
          return;
        case "usage":
          if (event.scope === "step") requests += 1;
          return;
        case "agent":
          if (event.role === undefined && event.parentCallId === undefined)
            messages.add(event.messageId ?? `event ${event.seq}`);
          return;
        case "warning":
          if (isThrottling(event)) throttled += 1;
          return;
        default:
      }
    },
    read() {
      // Agents that report each request to the model are counted by these, others by their messages.
      const turns = requests === 0 ? messages.size : requests;
      return { agentVersion, model, throttled, turns: turns === 0 ? undefined : turns, commands };
    },
  };
}

/** A notice that a limit is near (`allowed_warning`) is not a wait. */
function isThrottling({ message, code }: { message: string; code?: string | undefined }): boolean {
  return code !== "allowed_warning" && classifyFailure({ text: message, code }) === "rate_limit";
}
