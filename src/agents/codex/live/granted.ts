import type { GrantedFiles } from "../../live-contract.js";

/** The rules of Codex for commands. "Don't ask again" in its own interface adds to them. */
export const codexGranted: GrantedFiles = {
  paths: ({ env, home }) => [`${env["CODEX_HOME"] || `${home}/.codex`}/rules`],
  allows: allowsCommands,
};

/** A rule that names no decision allows. Rules are programs, so what is not seen to be strict counts as allowing. */
function allowsCommands(rules: string): boolean {
  const code = rules.replace(/^\s*#.*$/gm, "");
  const made = code.match(/\bprefix_rule\b/g)?.length ?? 0;
  const strict = code.match(/\bdecision\s*=\s*(["'])(?:prompt|forbidden)\1/g)?.length ?? 0;
  return made > strict;
}
