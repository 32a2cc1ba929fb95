import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as v from "valibot";
import { checkOptions } from "../../text/check-options.js";
import type { WaitingRequests } from "../protocol.js";
import { maxBodyBytes, runIdOf, tooLarge } from "../requests.js";
import type { RunIndex } from "../run-index.js";
import { longText, toAnswer } from "./answer.js";
import type { SessionControls } from "./session-controls.js";

const SendBody = v.strictObject({
  prompt: longText,
  whileBusy: v.optional(v.picklist(["queue", "steer", "reject"])),
});
const ModelBody = v.strictObject({ model: longText });
/** The session checks whether the answer fits its request. */
const AnswerBody = v.strictObject({ requestId: longText, answer: v.looseObject({}) });

/** What can be done with a live session, whoever started it. */
export function addSessionRoutes(api: Hono, controls: SessionControls, index: RunIndex): void {
  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge });

  api.get("/waiting", async (context) => {
    const states = await Promise.allSettled(index.answerable().map((id) => controls.state(id)));
    const counts = states.map((state) => (state.status === "fulfilled" ? state.value.requests.length : 0));
    return context.json({ waiting: counts.reduce((sum, count) => sum + count, 0) } satisfies WaitingRequests);
  });

  api.get("/runs/:id/session", async (context) => context.json(await controls.state(runIdOf(context))));

  api.post("/runs/:id/session/send", limit, async (context) => {
    const { prompt, whileBusy } = checkOptions(SendBody, await bodyOf(context), "send", "bad_request");
    const control = await controls.of(runIdOf(context));
    return context.json(await control.send(prompt, { whileBusy }), 202);
  });

  api.post("/runs/:id/session/answer", limit, async (context) => {
    const body = checkOptions(AnswerBody, await bodyOf(context), "answer", "bad_request");
    const control = await controls.of(runIdOf(context));
    await control.answer(body.requestId, toAnswer(body.answer));
    return context.json({ requestId: body.requestId }, 202);
  });

  api.post("/runs/:id/session/model", limit, async (context) => {
    const { model } = checkOptions(ModelBody, await bodyOf(context), "model", "bad_request");
    await (await controls.of(runIdOf(context))).setModel(model);
    return context.json({ model }, 202);
  });

  api.post("/runs/:id/session/interrupt", async (context) => {
    await (await controls.of(runIdOf(context))).interrupt();
    return context.json({}, 202);
  });

  api.post("/runs/:id/session/close", async (context) => {
    await (await controls.of(runIdOf(context))).close();
    return context.json({}, 202);
  });
}

function bodyOf(context: Context): Promise<unknown> {
  return context.req.json().catch(() => undefined);
}
