import type { PromptResponse, SessionConfigOption, SessionNotification } from "@agentclientprotocol/sdk";
import { isHarnessError } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { Session, Turn } from "../../live/session.js";
import { createSessionUpdates } from "../../outputs/acp/updates.js";
import { askClient } from "./ask-client.js";
import type { ModelChoice } from "./model-choice.js";
import type { Rpc } from "./rpc.js";
import { answerOfTurn, failureOfTurn } from "./turn-answer.js";

/** What the client has said about itself. */
export interface ClientFacts {
  hasForms: boolean;
  canNotice: boolean;
}

/** One live session as its client sees it. */
export interface ServedSession {
  prompt(text: string): Promise<PromptResponse>;
  /** Ends all prompts that were sent so far. */
  cancel(): Promise<void>;
  setModel(model: string): Promise<void>;
  readonly configOptions: SessionConfigOption[];
  close(): Promise<unknown>;
  /** Stops the agent at once. */
  stop(): void;
}

export interface ServedOptions {
  /** The client's id of the session. */
  sessionId: string;
  cwd: string;
  session: Session;
  rpc: Rpc;
  client: ClientFacts;
  models: ModelChoice | undefined;
  /** `always` can be answered. */
  canAlways: boolean;
}

/** Begins a turn. If the session has ended, the error says why, which the client may not have heard yet. */
async function send(session: Session, text: string): Promise<Turn> {
  try {
    return session.send(text);
  } catch (error) {
    if (!isHarnessError(error) || error.code !== "session_closed") throw error;
    const { failure } = await session.result;
    if (failure === undefined) throw error;
    throw failureOfTurn(failure);
  }
}

export function serveSession(options: ServedOptions): ServedSession {
  const { sessionId, cwd, session, rpc, client, models } = options;
  const updates = createSessionUpdates({ cwd, canNotice: client.canNotice });
  /** The turns of the client's prompts. Their events are delivered by `prompt`. */
  const asked = new Set<string>();
  let unanswered = 0;
  const open = new Map<string, AbortController>();

  async function deliver(event: HarnessEvent): Promise<void> {
    for (const update of updates.of(event))
      await rpc.notify("session/update", { sessionId, update } satisfies SessionNotification);
    if (event.type === "request") void ask(event);
    if (event.type === "request_end") open.get(event.requestId)?.abort();
  }

  async function ask(request: HarnessEvent & { type: "request" }): Promise<void> {
    const { requestId } = request;
    // Rules or the mode of permissions may have decided already.
    if (!session.requests.some((one) => one.requestId === requestId)) return;
    const withdrawn = new AbortController();
    open.set(requestId, withdrawn);
    const asking = { ...options, ...client, callIdOf: updates.callIdOf };
    const answer = await askClient(request, asking, withdrawn.signal).catch(() => undefined);
    open.delete(requestId);
    if (!session.requests.some((one) => one.requestId === requestId)) return;
    const isPermission = request.kind === "permission" || request.kind === "plan";
    session.answer(requestId, answer ?? (isPermission ? { allow: false } : { decline: true }));
  }

  /** What belongs to no prompt: the agent's model, and turns that it begins by itself. */
  async function deliverRest(): Promise<void> {
    for await (const event of session) {
      if (event.type === "session" && event.model !== undefined && models?.note(event.model))
        await rpc.notify("session/update", {
          sessionId,
          update: { sessionUpdate: "config_option_update", configOptions: models.options },
        } satisfies SessionNotification);
      if (event.turnId === undefined || !asked.has(event.turnId)) await deliver(event);
    }
  }
  void deliverRest();

  return {
    async prompt(text) {
      const turn = await send(session, text);
      asked.add(turn.turnId);
      unanswered += 1;
      try {
        for await (const event of turn) await deliver(event);
        return answerOfTurn(await turn.result);
      } finally {
        unanswered -= 1;
      }
    },
    async cancel() {
      for (let left = unanswered; left > 0; left--) await session.interrupt();
    },
    async setModel(model) {
      await session.setModel(model);
      models?.note(model);
    },
    get configOptions() {
      return models?.options ?? [];
    },
    close: () => session.close(),
    stop: () => session.cancel(),
  };
}
