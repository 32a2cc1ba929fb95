export function readStdout(directory: string): string;
