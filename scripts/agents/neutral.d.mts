export interface Machine {
  home: string;
  workspace: string;
  modelUrl: string;
  /** The directory of the installed agent. */
  programDirectory: string;
  /** The folder that contains home and workspace. */
  root: string;
}

export function neutralizer(agent: string, scenario: string, machine: Machine): (text: string) => string;
