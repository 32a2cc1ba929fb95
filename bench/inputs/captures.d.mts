export const capturedAgents: string[];

export function capturesOf(
  agent: string,
): { scenario: string; begin: string[]; lines: string[]; end: string[] }[];
