import { useMemo, useState } from "preact/hooks";
import type { EventOf } from "../../../src/events/event.js";
import type { SessionHere } from "../../../src/server/protocol.js";
import { askRequest } from "../../../src/story/describe-request.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatNumberOf } from "../../../src/text/numbers.js";
import { findImported } from "../import/imported.js";
import { type ViewState, watchRun } from "../run/view-state.js";
import { Composer } from "./composer.js";
import { ContinueBar } from "./continue-bar.js";
import { useLiveKeys } from "./live-keys.js";
import { RequestCard } from "./request-card.js";
import { createSessionActions } from "./session-actions.js";

/** What is below a run that can be talked with: its open requests, its queue and the composer. */
export function LiveDock({ view }: { view: ViewState }) {
  const { source } = view;
  const session = source.session.value;
  const about = source.about.value;
  if (session !== undefined && source.state.value === "live")
    return <Session key={source.id} view={view} session={session} />;
  if (about === undefined || findImported(source.id) !== undefined) return null;
  if (source.state.value === "whole" && about.sessionId !== undefined && !about.row.isDemo)
    return <ContinueBar key={source.id} about={about} />;
  return null;
}

function Session({ view, session }: { view: ViewState; session: SessionHere }) {
  const { source } = view;
  const actions = useMemo(() => createSessionActions(source.id), [source.id]);
  // The server says a moment later that they are no longer open.
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const requests = useRequests(view, session).filter(({ requestId }) => !answered.includes(requestId));
  const [first] = requests;
  const { isEscaping, isReady } = useLiveKeys({ session, request: first, actions });
  const cwd = view.cwd.value;
  return (
    <section class="dock" aria-label="Live session">
      <p class="visually-hidden" role="status" aria-live="assertive">
        {first === undefined ? "" : `The agent asks: ${toVisibleLine(askRequest(first, cwd), 300)}`}
      </p>
      {first !== undefined && (
        <RequestCard
          key={first.requestId}
          request={first}
          view={view}
          can={session.can}
          actions={actions}
          more={requests.length - 1}
          isReady={isReady}
          onAnswered={() => setAnswered([...answered, first.requestId])}
        />
      )}
      {session.queue.length > 0 && (
        <details class="queue" open>
          <summary>{formatNumberOf(session.queue.length, "prompt")} queued</summary>
          <ol>
            {session.queue.map(({ turnId, prompt }) => (
              <li key={turnId} dir="auto">
                {prompt}
              </li>
            ))}
          </ol>
        </details>
      )}
      <Composer view={view} session={session} actions={actions} isEscaping={isEscaping} />
    </section>
  );
}

/** The events of the open requests, oldest first. An event may come a moment after its id, and is cut if it is long. */
function useRequests(view: ViewState, { requests }: SessionHere): EventOf<"request">[] {
  const known = useMemo(() => new Map<string, number>(), [view]);
  watchRun(view);
  const { source } = view;
  const { events } = source.model;
  return requests.flatMap((id) => {
    const at = known.get(id) ?? lastRequest(events, id);
    if (at !== undefined) known.set(id, at);
    const event = at === undefined ? undefined : events[at];
    return event?.type === "request" ? [event] : [];
  });
}

function lastRequest(events: readonly { type: string }[], id: string): number | undefined {
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.type === "request" && "requestId" in event && event.requestId === id) return at;
  }
  return undefined;
}
