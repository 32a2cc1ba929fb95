export interface Machine {
  home: string;
  workspace: string;
  modelUrl: string;
  /** Where the agent is installed. */
  programDirectory: string;
  /** The folder that holds home and workspace. */
  root: string;
}

export function neutralizer(agent: string, scenario: string, machine: Machine): (text: string) => string;
