export function commandsIn(record: unknown): string[];
