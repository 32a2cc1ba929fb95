import type { RunStream } from "../../runs/run-stream.js";
import type { Session } from "../session.js";
import { controlOf } from "./control-of.js";
import { serveControl } from "./serve-control.js";

/**
 * Lets other processes of this user steer a recorded session while it runs: its sidecar says where. A system that allows no socket
 * leaves the session as it is, without that.
 */
export function shareSession(session: Session, { note }: Pick<RunStream, "note">): void {
  if (session.recording === undefined) return;
  let hasEnded = false;
  void session.result.then(() => {
    hasEnded = true;
  });
  serveControl(controlOf(session)).then(
    (served) => {
      if (hasEnded) return served.close();
      note({ control: served.address });
      void session.result.then(() => served.close());
    },
    () => undefined,
  );
}
