export interface Input {
  file: string;
  bytes: number;
}

export const longestOrdinaryLine: number;

export function longRun(agent: string, megabytes: number, options?: { hasLongLines?: boolean }): Input;

export function playsOf(agent: string): {
  begin: string;
  plays: ((number: number, isLonger: boolean) => string)[];
  end: string;
};
