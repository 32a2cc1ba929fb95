import { asFlag, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { PeerHost, SentNote } from "../../live-contract.js";
import { createPendingAnswers, sessionClosed } from "../../shared/pending-answers.js";

/** The commands of harness to Pi. */
export interface Commands {
  send(type: string, fields?: JsonObject, then?: (response: JsonObject) => void, note?: SentNote): void;
  /** Rejects if Pi refuses. */
  ask(type: string, fields: JsonObject): Promise<JsonObject>;
  /** An answer of Pi. */
  answered(response: JsonObject): void;
  /** No more answers will come. */
  close(): void;
}

export function createCommands(host: PeerHost): Commands {
  const pending = createPendingAnswers<string, JsonObject>((count) => `h${count}`);

  function send(
    type: string,
    fields: JsonObject = {},
    then?: (response: JsonObject) => void,
    note?: SentNote,
  ): void {
    const id = pending.expect(then);
    host.send(JSON.stringify({ id, type, ...fields }), note);
  }

  return {
    send,
    ask: (type, fields) =>
      new Promise((resolve, reject) => {
        send(type, fields, (response) => {
          if (asFlag(response["success"]) === true) resolve(response);
          else reject(new Error(errorOf(response)));
        });
      }),
    answered: (response) => pending.answered(asText(response["id"]) ?? "", response),
    close: () => pending.close({ success: false, error: sessionClosed }),
  };
}

export function errorOf(response: JsonObject): string {
  return asText(response["error"]) ?? `Pi refused ${asText(response["command"]) ?? "a command"}`;
}
