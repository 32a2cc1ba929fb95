/*
 * Paths as strings, without the file system: the translators run in browsers too. POSIX and Windows
 * spellings are understood, and the result keeps its separator.
 */

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}

/**
 * The absolute path, with `.` and `..` resolved. Without a base the path stays as written. So does `~`, which only
 * the agent's shell can expand.
 */
export function resolvePath(path: string, base: string | undefined): string {
  if (isAbsolutePath(path)) return normalizePath(path);
  if (base === undefined || path === "~" || path.startsWith("~/")) return path;
  const separator = base.includes("\\") && !base.includes("/") ? "\\" : "/";
  return normalizePath(`${base}${separator}${path}`);
}

function normalizePath(path: string): string {
  if (!/(^|[\\/])\.{1,2}([\\/]|$)|[\\/]{2,}|[\\/]$/.test(path)) return path;
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(path);
  const separator = isWindows ? "\\" : "/";
  const root = isWindows ? (/^([A-Za-z]:)?[\\/]+/.exec(path)?.[0] ?? "") : "/";
  const kept: string[] = [];
  for (const part of path.slice(root.length).split(isWindows ? /[\\/]/ : "/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  return root + kept.join(separator);
}

/** For people: the path relative to a directory if it is below that directory, else the whole path. */
export function relativeTo(path: string, directory: string | undefined): string {
  if (directory === undefined || directory === "") return path;
  if (path === directory) return ".";
  const prefix = directory.endsWith("/") || directory.endsWith("\\") ? directory : `${directory}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
