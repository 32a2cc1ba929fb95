import { queueVariable } from "../process/environment.js";

/**
 * The flags with the address of the queue: what was given, else that of the environment. Arguments are visible to other users of the
 * machine, and the address may have a password.
 */
export function withQueue<Flags extends { readonly queue?: string | undefined }>(flags: Flags): Flags {
  const queue = flags.queue ?? process.env[queueVariable];
  return queue === undefined || queue === "" ? flags : { ...flags, queue };
}
