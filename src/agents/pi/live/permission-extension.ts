/** The status that the extension sets when the session starts. Without it nothing would be asked. */
export const extensionStatus = "harness-permissions";

/** The first field of the title of its dialogs. */
export const permissionMark = "harness";

/** What the extension is answered with. No answer denies the call. */
export interface PermissionReply {
  allow: boolean;
  /** Do not ask again for the same command, the same file, or another call with the same input. */
  always?: boolean | undefined;
  /** Instead of the input of the call. */
  input?: unknown;
  /** For the model, if the call is denied. */
  message?: string | undefined;
}

/**
 * Pi has no permissions of its own, but an extension can hold every tool call. This one asks over the protocol, in a dialog
 * whose title is JSON. The answer is JSON too.
 *
 * What was asked is what runs: the input cannot be changed afterwards. Extensions of the user come later, and one
 * that tries to change it blocks the call.
 */
export const extensionSource = `const subjects = { bash: "command", read: "path", write: "path", edit: "path", ls: "path" };

function keyOf({ toolName, input }) {
  const subject = Object.hasOwn(subjects, toolName) ? input[subjects[toolName]] : undefined;
  return JSON.stringify([toolName, subject ?? input]);
}

function parse(text) {
  try {
    return JSON.parse(text ?? "{}") ?? {};
  } catch {
    return {};
  }
}

function freeze(value) {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

export default function (pi) {
  const always = new Set();
  pi.on("session_start", (_event, ctx) => ctx.ui.setStatus("${extensionStatus}", "on"));
  pi.on("tool_call", async (event, ctx) => {
    const { toolName, toolCallId, input } = event;
    if (!always.has(keyOf(event))) {
      const question = { ${permissionMark}: "permission", callId: toolCallId, name: toolName, input };
      const reply = parse(await ctx.ui.input(JSON.stringify(question), undefined, { signal: ctx.signal }));
      const denied = ctx.signal?.aborted ? "The turn was interrupted." : "The user denied this call.";
      if (reply.allow !== true) return { block: true, reason: reply.message ?? denied };
      if (typeof reply.input === "object" && reply.input !== null) {
        for (const key of Object.keys(input)) delete input[key];
        Object.assign(input, reply.input);
      }
      if (reply.always === true) always.add(keyOf(event));
    }
    freeze(input);
  });
}
`;
