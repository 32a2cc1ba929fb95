/** JSON strings are TOML strings, but TOML does not allow lone surrogates. Codex would use invalid TOML as plain text. */
export function toTomlString(text: string): string {
  return JSON.stringify(new TextDecoder().decode(new TextEncoder().encode(text)));
}
