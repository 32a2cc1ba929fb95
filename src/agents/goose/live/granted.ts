import type { GrantedFiles } from "../../live-contract.js";

/** Where Goose writes that a tool is always allowed. */
export const gooseGranted: GrantedFiles = {
  paths: ({ env, home }) => [`${configFolder(env, home)}/permission.yaml`],
  allows: allowsTools,
};

function configFolder(env: Readonly<Record<string, string>>, home: string): string {
  const root = env["GOOSE_PATH_ROOT"];
  return root ? `${root}/config` : `${env["XDG_CONFIG_HOME"] || `${home}/.config`}/goose`;
}

/** Only the section `user` counts in the mode `approve`. */
function allowsTools(yaml: string): boolean {
  const sections = yaml.split(/^(?=\S)/m).filter((section) => /^["']?user\b/.test(section));
  return sections.some((section) =>
    /\balways_allow["']?\s*:\s*(?:\[\s*[^\]\s]|(?:#.*)?\n\s*-)/.test(section),
  );
}
