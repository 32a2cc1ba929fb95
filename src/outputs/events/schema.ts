import * as v from "valibot";
import { eventSchemas } from "../../events/event.js";
import { ownFields } from "./fields.js";

const common = ["type", "timestamp", "sessionId"] as const;

/** An item of `--format events`: a normalized harness event, with exactly the fields of that document. */
export const NormalizedEvent = v.variant("type", [
  v.pick(eventSchemas.agent, [...common, ...ownFields.agent]),
  v.pick(eventSchemas.command, [...common, ...ownFields.command]),
  v.pick(eventSchemas.read, [...common, ...ownFields.read]),
  v.pick(eventSchemas.write, [...common, ...ownFields.write]),
  v.pick(eventSchemas.search, [...common, ...ownFields.search]),
  v.pick(eventSchemas.list, [...common, ...ownFields.list]),
  v.pick(eventSchemas.skill, [...common, ...ownFields.skill]),
  v.pick(eventSchemas.orchestration, [...common, ...ownFields.orchestration]),
  v.pick(eventSchemas.error, [...common, ...ownFields.error]),
  v.pick(eventSchemas.warning, [...common, ...ownFields.warning]),
  v.pick(eventSchemas.unknown, [...common, ...ownFields.unknown]),
]);
export type NormalizedEvent = v.InferOutput<typeof NormalizedEvent>;
