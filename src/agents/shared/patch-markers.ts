const marker = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;

/** The files that an `apply_patch` text names, each once, in order. */
export function filesOfPatch(patch: string): string[] {
  const files = new Set<string>();
  for (const match of patch.matchAll(marker)) if (match[1] !== undefined) files.add(match[1]);
  return [...files];
}
