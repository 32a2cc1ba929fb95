import { win32 } from "node:path";

/** What a shim starts: a program and its first arguments. */
export interface ShimTarget {
  path: string;
  leadingArgs: string[];
}

/** `"%dp0%\node_modules\pkg\cli.js" %*`, as npm, pnpm and Yarn write it. */
const startedFile = /"%(?:~dp0|dp0%)\\?([^"]+\.(?:[cm]?js|exe))"[^\n]*%\*/i;

/**
 * Reads from npm's `.cmd` file which program it starts, so that harness can start that program directly. Windows executes
 * batch files only through a shell, where a part of the prompt could become a command.
 */
export function parseShim(path: string, text: string, node: string): ShimTarget | undefined {
  const relative = startedFile.exec(text)?.[1];
  if (relative === undefined) return undefined;
  const file = win32.join(win32.dirname(path), relative);
  return file.toLowerCase().endsWith(".exe")
    ? { path: file, leadingArgs: [] }
    : { path: node, leadingArgs: [file] };
}

export function isBatchFile(path: string): boolean {
  return /\.(?:cmd|bat)$/i.test(path);
}
