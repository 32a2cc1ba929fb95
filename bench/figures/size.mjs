import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The disk size of an installation: the package without its page, and all its dependencies. */
export async function size() {
  const pack = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [{ files }] = JSON.parse(
    execFileSync("npm", pack, { cwd: root, stdio: ["ignore", "pipe", "ignore"] }),
  );
  const own = files.filter(({ path }) => !path.startsWith("dist/page/"));
  const packages = dependencies();
  const bytes = [...own.map((file) => file.size), ...packages.flatMap(sizesIn)].reduce(
    (sum, one) => sum + one,
    0,
  );
  return [
    { figure: "installed, without the page", value: bytes / 1e6, unit: "MB", goal: { value: { most: 15 } } },
    { figure: "packages it depends on", value: packages.length, unit: "packages" },
  ];
}

/** The folders of all packages in an installation. */
function dependencies() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== "" && !dev && !devOptional && !optional)
    .map(([path]) => join(root, path));
}

function sizesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(join(folder, "node_modules")))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
}
