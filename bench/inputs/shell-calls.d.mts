export function shellCalls(
  agent: string,
  megabytes: number,
  distinct: number,
): { file: string; bytes: number };
