import * as v from "valibot";
import type { SessionControl } from "../../live/control/session-control.js";
import { runIdOf } from "../requests.js";
import { longText, toAnswer } from "../sessions/answer.js";
import { jsonRoute, type Route, type Services } from "./route.js";
import { components } from "./schemas.js";

const { SessionState, Requests, RunRef, Answer } = components;

const gone = ["unknown_session", "unreadable_recording", "session_gone", "session_closed"] as const;
const sessionTag = { tag: "sessions" } as const;

const state = jsonRoute({
  ...sessionTag,
  method: "get",
  path: "/runs/{id}/session",
  operation: "getSession",
  summary: "Says what a live session does right now, and what it can do",
  about: "The state.",
  schema: SessionState,
  refusals: gone,
  handle: ({ context }, { controls }) => controls.state(runIdOf(context)),
});

const requests = jsonRoute({
  ...sessionTag,
  method: "get",
  path: "/runs/{id}/requests",
  operation: "listRequestsOfRun",
  summary: "Lists the requests of a live session that wait for an answer",
  about: "The requests, oldest first.",
  schema: Requests,
  refusals: gone,
  async handle({ context }, { controls }) {
    const { requests } = await (await controls.of(runIdOf(context))).state();
    return { requests: [...requests] };
  },
});

const allRequests = jsonRoute({
  ...sessionTag,
  method: "get",
  path: "/requests",
  operation: "listRequests",
  summary: "Lists the requests of all live sessions that wait for an answer",
  about: "The requests. `runId` says which session asks.",
  schema: Requests,
  refusals: [],
  handle: async (_, services) => ({ requests: await waitingRequests(services) }),
});

/** A session that ends meanwhile has no requests. */
export async function waitingRequests({
  index,
  controls,
}: Services): Promise<v.InferOutput<typeof Requests>["requests"]> {
  const asked = index.answerable().map(async (id) => (await controls.of(id)).state());
  const states = await Promise.allSettled(asked);
  return states.flatMap((each) => (each.status === "fulfilled" ? [...each.value.requests] : []));
}

const send = jsonRoute({
  ...sessionTag,
  method: "post",
  path: "/runs/{id}/messages",
  operation: "sendMessage",
  summary: "Sends a message to a live session",
  body: v.strictObject({
    prompt: longText,
    whileBusy: v.optional(
      v.pipe(
        v.picklist(["queue", "steer", "reject"]),
        v.description(
          "While a turn runs: `queue` waits (default), `steer` joins it, where the agent can, `reject` refuses.",
        ),
      ),
    ),
  }),
  status: 202,
  about: "It was taken. Its turn may still wait in the queue.",
  schema: v.strictObject({ turnId: v.string() }),
  refusals: [...gone, "empty_prompt", "session_busy", "unsupported_option", "too_large"],
  async handle({ context, body: { prompt, whileBusy } }, { controls }) {
    const control = await controls.of(runIdOf(context));
    const { turnId } = await control.send(prompt, { whileBusy });
    return { turnId };
  },
});

/** For readers of the description one of the forms. `toAnswer` checks it, and says what is wrong with it. */
const anAnswer = v.lazy(
  (input): v.GenericSchema<Record<string, unknown>> => (input === undefined ? Answer : v.looseObject({})),
);

const answer = jsonRoute({
  ...sessionTag,
  method: "post",
  path: "/runs/{id}/answers",
  operation: "answerRequest",
  summary: "Answers a request of a live session",
  description:
    "`allow` answers requests of the kinds `permission` and `plan`, `answers` a `question`, `content` a `form`, and `decline` gives no answer to the last two. The first answer counts.",
  body: v.strictObject({ requestId: longText, answer: anAnswer }),
  status: 202,
  about: "It was taken.",
  schema: v.strictObject({ requestId: v.string() }),
  refusals: [...gone, "request_gone", "invalid_answer", "unsupported_option", "too_large"],
  async handle({ context, body: { requestId, answer } }, { controls }) {
    const control = await controls.of(runIdOf(context));
    await control.answer(requestId, toAnswer(answer));
    return { requestId };
  },
});

const model = jsonRoute({
  ...sessionTag,
  method: "post",
  path: "/runs/{id}/model",
  operation: "setModel",
  summary: "Changes the model of a live session, from the next turn on",
  body: v.strictObject({ model: longText }),
  status: 202,
  about: "It was taken.",
  schema: v.strictObject({ model: v.string() }),
  refusals: [...gone, "empty_model", "unsupported_option", "invalid_option", "too_large"],
  async handle({ context, body: { model } }, { controls }) {
    await (await controls.of(runIdOf(context))).setModel(model);
    return { model };
  },
});

/** An operation that takes nothing but the id. */
function act(
  operation: string,
  path: string,
  words: { summary: string; about: string },
  action: (control: SessionControl) => Promise<void>,
): Route {
  return jsonRoute({
    ...sessionTag,
    ...words,
    method: "post",
    path,
    operation,
    status: 202,
    schema: RunRef,
    refusals: gone,
    async handle({ context }, { controls }) {
      const id = runIdOf(context);
      await action(await controls.of(id));
      return { id };
    },
  });
}

const interrupt = act(
  "interruptTurn",
  "/runs/{id}/interrupt",
  { summary: "Ends the running turn of a live session", about: "The session goes on, with its queue." },
  (control) => control.interrupt(),
);

const close = act(
  "closeSession",
  "/runs/{id}/close",
  { summary: "Ends a live session", about: "The agent is asked to end. Its events say when it has ended." },
  (control) => control.close(),
);

/** What can be done with a live session, whoever started it. */
export const sessionRoutes: readonly Route[] = [
  state,
  requests,
  allRequests,
  send,
  answer,
  model,
  interrupt,
  close,
];
