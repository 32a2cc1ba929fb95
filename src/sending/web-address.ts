import { HarnessError } from "../errors.js";

/**
 * An address to send to. Throws a `HarnessError` that names where it was given, and never what was given: an address may hold a secret.
 * `instead`: where a password belongs.
 */
export function parseAddress(
  text: string,
  given: string,
  instead: string,
  example = "http://localhost:4318",
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new HarnessError(
      "invalid_option",
      `${given} must be an address that begins with http:// or https://, such as ${example}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new HarnessError(
      "invalid_option",
      `${given} must not have a user or a password in the address: other users of this machine can see them; use ${instead}`,
    );
  return url;
}
