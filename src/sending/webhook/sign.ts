import { createHmac } from "node:crypto";
import { HarnessError } from "../../errors.js";

const prefix = "whsec_";

/**
 * The key of a secret: `whsec_` and base64, as Standard Webhooks writes it, or any other text. Throws a `HarnessError` that does not
 * quote it.
 */
export function keyOf(secret: string): Buffer {
  if (!secret.startsWith(prefix)) {
    if (secret.trim() === "")
      throw new HarnessError(
        "invalid_option",
        "the secret of the webhook is empty; set HARNESS_WEBHOOK_SECRET to a text that the receiver knows, or unset it to send without signatures",
      );
    return Buffer.from(secret, "utf8");
  }
  const encoded = secret.slice(prefix.length);
  if (encoded === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0)
    throw new HarnessError(
      "invalid_option",
      "the secret of the webhook begins with whsec_, and what follows is not base64; copy it again from the receiver",
    );
  return Buffer.from(encoded, "base64");
}

/** What identifies and protects a message, by https://www.standardwebhooks.com. Without a key it is not signed. */
export function signedHeaders(
  message: { id: string; body: string },
  key: Buffer | undefined,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const headers = { "webhook-id": message.id, "webhook-timestamp": timestamp };
  if (key === undefined) return headers;
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signature = createHmac("sha256", key).update(signed).digest("base64");
  return { ...headers, "webhook-signature": `v1,${signature}` };
}
