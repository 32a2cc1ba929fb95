import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Isolation } from "../agents/isolation.js";
import { HarnessError } from "../errors.js";

/** Refuses files of the user in directories above the workspace, which no variable moves. */
export function refuseInherited(name: string, isolation: Isolation, cwd: string): void {
  const { inherited = [], inheritedOutsideRepositories: outside = [] } = isolation;
  const repository = repositoryOf(cwd);
  const files = repository === undefined ? [...inherited, ...outside] : inherited;
  for (const directory of directoriesAbove(repository ?? resolve(cwd)))
    for (const file of files) {
      const path = join(directory, file);
      if (!existsSync(path)) continue;
      const others = outside.includes(file)
        ? "work in a Git repository or in another directory"
        : "work in another directory";
      const message = `${name} cannot be isolated here: it reads ${path}, because that is above the directory in which it works; ${others}, or move the file`;
      throw new HarnessError("unsupported_option", message);
    }
}

/** The top of the repository that a directory is in. */
function repositoryOf(cwd: string): string | undefined {
  const all = [resolve(cwd), ...directoriesAbove(resolve(cwd))];
  return all.find((directory) => existsSync(join(directory, ".git")));
}

function directoriesAbove(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [] : [above, ...directoriesAbove(above)];
}
