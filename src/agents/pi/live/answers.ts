import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Answer, PeerHost, SentNote } from "../../live-contract.js";
import { isAllowed } from "../../shared/answers.js";
import type { PermissionReply } from "./permission-extension.js";
import { announcements, answerId, type DialogKind, dialogKindOf, yes } from "./requests.js";

/** The open dialogs of extensions, and what goes back to them. */
export interface DialogAnswers {
  /** `extension_ui_request`. A dialog of an unknown kind is dismissed at once. */
  opened(record: JsonObject): void;
  /** False if no such dialog is open. */
  answer(id: string, given: Answer, note: SentNote): boolean;
  dismissAll(): void;
}

export function createDialogAnswers(host: PeerHost): DialogAnswers {
  const open = new Map<string, DialogKind>();

  function respond(id: string, fields: JsonObject, note?: SentNote): void {
    open.delete(id);
    host.send(JSON.stringify({ type: "extension_ui_response", id, ...fields }), note);
  }

  return {
    opened(record) {
      const id = asText(record["id"]);
      const kind = dialogKindOf(record);
      if (id === undefined) return;
      if (kind !== undefined) open.set(id, kind);
      else if (!announcements.has(asText(record["method"]) ?? "")) respond(id, { cancelled: true });
    },
    answer(id, given, note) {
      const kind = open.get(id);
      if (kind === undefined) return false;
      respond(id, responses[kind](given), note);
      return true;
    },
    dismissAll() {
      for (const id of [...open.keys()]) respond(id, { cancelled: true });
    },
  };
}

/** The fields of the response, by the kind of the dialog. */
const responses: Readonly<Record<DialogKind, (given: Answer) => JsonObject>> = {
  permission(given) {
    const reply: PermissionReply = isAllowed(given)
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
