import { cpSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { HarnessError } from "../errors.js";

/**
 * Copies the content of a directory into a fresh home. Links stay links, and one that leads to the user's own files is refused: what is
 * there would reach the run, and what the run writes there would reach the user.
 */
export function copySeed(seed: string, home: string, userHome: string): void {
  const places = [seed, userHome].filter((place) => dirname(place) !== place).flatMap(spellingsOf);
  cpSync(seed, home, {
    recursive: true,
    verbatimSymlinks: true,
    filter(path) {
      if (lstatSync(path).isSymbolicLink()) refuseWayOut(path, { seed, places });
      return true;
    },
  });
}

function refuseWayOut(path: string, { seed, places }: { seed: string; places: readonly string[] }): void {
  const target = readlinkSync(path);
  const leadsTo = resolve(dirname(path), target);
  if (!isAbsolute(target) && isInside(leadsTo, seed)) return;
  const found = spellingsOf(leadsTo).some((one) => places.some((place) => isInside(one, place)));
  if (!found) return;
  const message = `home: ${relative(seed, path)} is a link to ${target}, which is outside of the fresh home; put a copy in its place`;
  throw new HarnessError("invalid_option", message);
}

/** A path as it is written, and where it really leads. */
function spellingsOf(path: string): string[] {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** A directory above this file in the home is a link of the seed. Whatever is written there would be outside of the home. */
export function isBehindLink(home: string, file: string): boolean {
  for (let above = dirname(file); isInside(above, home) && above !== home; above = dirname(above))
    if (lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  return false;
}
