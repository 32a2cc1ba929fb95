import { accessSync, constants, statSync } from "node:fs";
import { delimiter, extname, isAbsolute, join, resolve } from "node:path";

export interface ProgramSearch {
  /** PATH (and on Windows PATHEXT) is read from here. */
  env: Readonly<Record<string, string | undefined>>;
  /** Relative paths and relative entries of PATH are resolved against it. */
  cwd: string;
  platform?: NodeJS.Platform;
}

/** `notExecutable`: the best match, if a file exists but cannot be executed. */
export interface FoundProgram {
  path?: string;
  notExecutable?: string;
}

/** Finds a program by path (anything with a separator) or by name on PATH. */
export function findProgram(name: string, search: ProgramSearch): FoundProgram {
  const platform = search.platform ?? process.platform;
  const isPath = name.includes("/") || (platform === "win32" && name.includes("\\"));
  const places = isPath ? [resolve(search.cwd, name)] : placesOnPath(name, search);
  let notExecutable: string | undefined;
  for (const place of places) {
    for (const path of withExtensions(place, platform, search.env)) {
      const kind = kindOfFile(path, platform);
      if (kind === "executable") return { path };
      if (kind === "file") notExecutable ??= path;
    }
  }
  return notExecutable === undefined ? {} : { notExecutable };
}

function placesOnPath(name: string, { env, cwd, platform }: ProgramSearch): string[] {
  const path = (platform === "win32" ? (env["Path"] ?? env["PATH"]) : env["PATH"]) ?? "";
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), name));
}

/** Windows finds `claude.cmd` under the name `claude`; other systems need the exact name. */
function withExtensions(place: string, platform: NodeJS.Platform, env: ProgramSearch["env"]): string[] {
  if (platform !== "win32") return [place];
  const extensions = (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD")
    .split(";")
    .filter((extension) => extension !== "");
  const own = extname(place).toLowerCase();
  if (extensions.some((extension) => extension.toLowerCase() === own)) return [place];
  return extensions.map((extension) => place + extension.toLowerCase());
}

function kindOfFile(path: string, platform: NodeJS.Platform): "executable" | "file" | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
  } catch {
    return undefined;
  }
  if (platform === "win32") return "executable";
  try {
    accessSync(path, constants.X_OK);
    return "executable";
  } catch {
    return "file";
  }
}
