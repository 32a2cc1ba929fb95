import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as v from "valibot";
import type { Answer } from "../../agents/live-contract.js";
import { HarnessError } from "../../errors.js";
import { checkOptions } from "../../text/check-options.js";
import type { WaitingRequests } from "../protocol.js";
import { maxBodyBytes, runIdOf, tooLarge } from "../requests.js";
import type { RunIndex } from "../run-index.js";
import type { SessionControls } from "./session-controls.js";

const text = v.pipe(
  v.string(),
  v.maxLength(4_000_000, "must be shorter; put it into a file and name the file"),
);

const SendBody = v.strictObject({
  prompt: text,
  whileBusy: v.optional(v.picklist(["queue", "steer", "reject"])),
});
const ModelBody = v.strictObject({ model: text });
/** The session checks whether the answer fits its request. */
const AnswerBody = v.strictObject({ requestId: text, answer: v.looseObject({}) });

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

const shared = { message: v.optional(text) };

const answers: Record<string, v.GenericSchema<unknown, Answer>> = {
  allow: v.variant("allow", [
    v.strictObject({ allow: v.literal(true), always: v.optional(v.boolean()) }),
    v.strictObject({ allow: v.literal(false), interrupt: v.optional(v.boolean()), ...shared }),
  ]),
  answers: v.strictObject({ answers: v.record(v.string(), v.array(text)) }),
  content: v.strictObject({ content: v.record(v.string(), v.any()) }),
  decline: v.strictObject({ decline: v.literal(true), ...shared }),
};

/** An answer is one of the forms, and nothing else is in it. The page does not change the input of a call. */
function toAnswer(given: Record<string, unknown>): Answer {
  const [key] = Object.keys(answers).filter((each) => Object.hasOwn(given, each));
  const schema = key === undefined ? undefined : answers[key];
  const parsed = schema && v.safeParse(schema, given);
  if (parsed?.success) return parsed.output;
  const problem = parsed?.issues?.[0]?.message ?? "it has none of allow, answers, content and decline";
  throw new HarnessError("invalid_answer", `the answer is not understood: ${problem}`);
}
