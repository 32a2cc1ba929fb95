import { HarnessError } from "../../errors.js";
import { type ConnectedControl, connectControl } from "../../live/control/connect-control.js";
import { controlOf } from "../../live/control/control-of.js";
import type { SessionControl } from "../../live/control/session-control.js";
import { toVisibleLine } from "../../text/cut.js";
import { openPlainRecording } from "../open-plain-recording.js";
import type { OwnRuns } from "../own-runs.js";
import type { SessionHere } from "../protocol.js";

/** How the page reaches live sessions: its own directly, those of other processes through the address in their sidecar. */
export interface SessionControls {
  /** Rejects with `session_gone` if the run takes no prompts and answers. */
  of(id: string): Promise<SessionControl>;
  state(id: string): Promise<SessionHere>;
  close(): void;
}

const longestShownPrompt = 400;
const mostShownPrompts = 50;

export function createSessionControls(directory: string, ownRuns: OwnRuns): SessionControls {
  const connected = new Map<string, Promise<ConnectedControl>>();

  function connect(address: string): Promise<ConnectedControl> {
    const known = connected.get(address);
    if (known !== undefined) return known;
    const connecting = connectControl(address);
    const forget = (): void => void connected.delete(address);
    connected.set(address, connecting);
    connecting.then((control) => control.closed.then(forget), forget);
    return connecting;
  }

  async function of(id: string): Promise<SessionControl> {
    const own = ownRuns.session(id);
    if (own !== undefined) return controlOf(own);
    const { meta, outcome } = openPlainRecording(directory, id);
    if (outcome !== "running") throw gone(`the session ${id} has ended; continue it with a new one`);
    if (typeof meta.control !== "string")
      throw gone(`${id} takes no prompts and answers here; answer it where it was started`);
    return connect(meta.control);
  }

  return {
    of,
    state: async (id) => toHere(await (await of(id)).state()),
    close() {
      for (const each of connected.values())
        each.then((control) => control.disconnect()).catch(() => undefined);
    },
  };
}

function gone(message: string): HarnessError {
  return new HarnessError("session_gone", message);
}

/** The state without what the page has from the run's events. Another process may be an older or a newer harness. */
function toHere(state: Awaited<ReturnType<SessionControl["state"]>>): SessionHere {
  const { can, isBusy, queue, requests, model } = state;
  return {
    can,
    isBusy,
    queue: queue
      .slice(0, mostShownPrompts)
      .map(({ turnId, prompt }) => ({ turnId, prompt: toVisibleLine(prompt, longestShownPrompt) })),
    requests: requests.map(({ requestId }) => requestId),
    ...(model !== undefined && { model }),
  };
}
