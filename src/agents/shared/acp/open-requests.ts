import type { JsonObject } from "../../../text/json.js";
import type { Answer, LiveTask, SentNote } from "../../live-contract.js";
import { answerToForm, answerToPermission, withdrawals } from "./answers.js";
import type { Outgoing } from "./outgoing.js";
import { requestIdOf } from "./requests.js";
import type { Message, WireId } from "./wire.js";

/** What the agent waits for. */
export interface OpenRequests {
  /** A request of the agent. One that harness does not offer is refused. */
  asked(request: Message & { type: "request" }): void;
  /** False if no such request is open. */
  answer(requestId: string, answer: Answer, note: SentNote): boolean;
  /** Answers everything that is open, and what is asked until `clear`, as cancelled: most agents wait for it for ever. */
  withdraw(): void;
  /** The turn is over. Its requests are, too. */
  clear(): void;
}

interface OpenRequest {
  id: WireId;
  method: string;
  params: JsonObject;
}

export function createOpenRequests(outgoing: Outgoing, { permissions }: LiveTask): OpenRequests {
  /** By the id that the events have. */
  const open = new Map<string, OpenRequest>();
  let isCancelling = false;

  return {
    asked({ id, method, params }) {
      const withdrawal = withdrawals[method];
      if (withdrawal === undefined || (method === "elicitation/create" && params["mode"] === "url"))
        return outgoing.refuse(id, -32601, `harness does not offer ${method}`);
      if (isCancelling) return outgoing.result(id, withdrawal);
      open.set(requestIdOf(id), { id, method, params });
    },
    answer(requestId, answer, note) {
      const request = open.get(requestId);
      if (request === undefined) return false;
      open.delete(requestId);
      const { id, method, params } = request;
      const isPermission = method === "session/request_permission";
      const isFullAccess = permissions === "full-access";
      const result = isPermission
        ? answerToPermission(params, answer, isFullAccess)
        : answerToForm(params, answer);
      outgoing.result(id, result, note);
      return true;
    },
    withdraw() {
      isCancelling = true;
      for (const { id, method } of open.values()) outgoing.result(id, withdrawals[method] ?? {});
      open.clear();
    },
    clear() {
      isCancelling = false;
      open.clear();
    },
  };
}
