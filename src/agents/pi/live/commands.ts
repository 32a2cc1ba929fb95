import { asFlag, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { PeerHost, SentNote } from "../../live-contract.js";

export interface Commands {
  send(type: string, fields?: JsonObject, then?: (response: JsonObject) => void, note?: SentNote): void;
  /** Rejects if Pi refuses. */
  ask(type: string, fields: JsonObject): Promise<JsonObject>;
  answered(response: JsonObject): void;
  /** Nothing answers any more. */
  close(): void;
}

/** Commands and their answers, by id. */
export function createCommands(host: PeerHost): Commands {
  const waiting = new Map<string, (response: JsonObject) => void>();
  let count = 0;

  function send(
    type: string,
    fields: JsonObject = {},
    then?: (response: JsonObject) => void,
    note?: SentNote,
  ): void {
    count += 1;
    const id = `h${count}`;
    if (then !== undefined) waiting.set(id, then);
    host.send(JSON.stringify({ id, type, ...fields }), note);
  }

  function answered(response: JsonObject): void {
    const id = asText(response["id"]) ?? "";
    const then = waiting.get(id);
    waiting.delete(id);
    then?.(response);
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
    answered,
    close() {
      for (const id of [...waiting.keys()]) answered({ id, success: false, error: "the session was closed" });
    },
  };
}

export function errorOf(response: JsonObject): string {
  return asText(response["error"]) ?? `Pi refused ${asText(response["command"]) ?? "a command"}`;
}
