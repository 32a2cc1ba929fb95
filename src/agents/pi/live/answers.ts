import type { JsonObject } from "../../../text/json.js";
import type { Answer } from "../../live-contract.js";
import type { PermissionReply } from "./permission-extension.js";
import { answerId, type DialogKind, yes } from "./requests.js";

/** What goes back to the extension, by the kind of its dialog. */
export const responses: Readonly<Record<DialogKind, (given: Answer) => JsonObject>> = {
  permission(given) {
    const isAllowed = "allow" in given && given.allow;
    const reply: PermissionReply = isAllowed
      ? { allow: true, always: given.always, input: given.input }
      : { allow: false, message: "message" in given ? given.message : undefined };
    return { value: JSON.stringify(reply) };
  },
  confirm(given) {
    if ("allow" in given) return { confirmed: given.allow };
    const value = chosenIn(given);
    return value === undefined
      ? { cancelled: true }
      : { confirmed: value.toLowerCase() === yes.toLowerCase() };
  },
  select: textOf,
  input: textOf,
  editor: textOf,
};

function textOf(given: Answer): JsonObject {
  const value = chosenIn(given);
  return value === undefined ? { cancelled: true } : { value };
}

/** A dialog has one question, so an answer under another id is meant for it too. */
function chosenIn(given: Answer): string | undefined {
  if (!("answers" in given)) return undefined;
  return (given.answers[answerId] ?? Object.values(given.answers)[0])?.[0];
}
