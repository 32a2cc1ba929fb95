import type { GrantedFiles } from "../../live-contract.js";

/** Where Copilot saves, for each folder, what its user has allowed for good. It does that without asking (1.0.102). */
export const copilotGranted: GrantedFiles = {
  paths({ env, home }) {
    const folders = [env["COPILOT_HOME"], `${home}/.copilot`].filter(Boolean);
    return folders.map((folder) => `${folder}/permissions-config.json`);
  },
  allows: allowsAnything,
};

/** The approvals of any folder count: a folder has many spellings. */
function allowsAnything(saved: string): boolean {
  return /"tool_approvals"\s*:\s*\[\s*[^\]\s]/.test(saved);
}
