import * as schemas from "../../../node_modules/@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js";

/*
 * The protocol as its own SDK checks it. The package does not export its schemas, so they are taken from its files.
 * `session/set_model` and Goose's steering are extensions, which have no schema.
 */

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: unknown };
}

const requests: Readonly<Record<string, Schema>> = {
  initialize: schemas.zInitializeRequest,
  "session/new": schemas.zNewSessionRequest,
  "session/load": schemas.zLoadSessionRequest,
  "session/prompt": schemas.zPromptRequest,
  "session/cancel": schemas.zCancelNotification,
  "session/set_mode": schemas.zSetSessionModeRequest,
  "session/set_config_option": schemas.zSetSessionConfigOptionRequest,
  "session/update": schemas.zSessionNotification,
  "session/request_permission": schemas.zRequestPermissionRequest,
  "elicitation/create": schemas.zCreateElicitationRequest,
  "fs/write_text_file": schemas.zWriteTextFileRequest,
  "fs/read_text_file": schemas.zReadTextFileRequest,
};

const answers: Readonly<Record<string, Schema>> = {
  initialize: schemas.zInitializeResponse,
  "session/new": schemas.zNewSessionResponse,
  "session/load": schemas.zLoadSessionResponse,
  "session/prompt": schemas.zPromptResponse,
  "session/set_mode": schemas.zSetSessionModeResponse,
  "session/set_config_option": schemas.zSetSessionConfigOptionResponse,
  "session/request_permission": schemas.zRequestPermissionResponse,
  "elicitation/create": schemas.zCreateElicitationResponse,
};

export interface WireMessage {
  id?: string | number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** What is wrong with a message. `asked`: the method of the request that it answers. Undefined if nothing is, or if there is no schema. */
export function problemOf(message: WireMessage, asked: string | undefined): unknown {
  if (message.method !== undefined) return failureOf(requests[message.method], message.params);
  return message.error === undefined ? failureOf(answers[asked ?? ""], message.result) : undefined;
}

function failureOf(schema: Schema | undefined, value: unknown): unknown {
  const parsed = schema?.safeParse(value);
  return parsed === undefined || parsed.success ? undefined : parsed.error;
}
