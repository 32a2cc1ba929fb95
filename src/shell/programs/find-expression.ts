const nameTests = new Set(["-name", "-iname"]);
const pathTests = new Set([
  "-path",
  "-ipath",
  "-wholename",
  "-iwholename",
  "-regex",
  "-iregex",
  "-lname",
  "-ilname",
]);
const withValue = new Set([
  ...nameTests,
  ...pathTests,
  ..."-amin -anewer -atime -cmin -cnewer -context -ctime -flags -fstype -gid -group -inum -links".split(" "),
  ..."-maxdepth -mindepth -mmin -mtime -newer -perm -printf -regextype -samefile -size -type -uid".split(" "),
  ..."-used -user -xtype".split(" "),
]);
const newerTest = /^-newer[aBcm][aBcmt]$/;
const withoutValue = new Set([
  ..."-daystart -depth -empty -executable -false -follow -ignore_readdir_race -ls -mount -noignore_readdir_race".split(
    " ",
  ),
  ..."-nogroup -noleaf -nouser -nowarn -print -print0 -prune -quit -readable -true -warn -writable -xdev".split(
    " ",
  ),
]);
const not = new Set(["!", "-not"]);
const and = new Set(["-a", "-and"]);
const or = new Set(["-o", "-or", ","]);

/** What one branch of an expression looks for. All tests of a branch must hold. */
interface Branch {
  names: string[];
  paths: string[];
  prunes: boolean;
}

/**
 * The names a `find` expression looks for, without those it excludes with `!` or `-prune`. In each branch of an `-o`
 * names win over paths. Undefined if the expression does more than find and print (`-exec`, `-delete`,
 * `-fprint` …) or is not understood.
 */
export function wantedNames(words: readonly string[]): readonly string[] | undefined {
  const open: Branch[][] = [];
  const negations: boolean[] = [];
  let branches: Branch[] = [createBranch()];
  let isNegated = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const branch = branches.at(-1) ?? createBranch();
    if (not.has(word)) {
      isNegated = !isNegated;
      continue;
    }
    if (or.has(word)) {
      branches.push(createBranch());
    } else if (word === "(") {
      open.push(branches);
      negations.push(isNegated);
      branches = [createBranch()];
    } else if (word === ")") {
      const outer = open.pop();
      if (outer === undefined) return undefined;
      const group = branches;
      branches = outer;
      addGroup(outer.at(-1), group, negations.pop() === true);
    } else if (withValue.has(word) || newerTest.test(word)) {
      const value = words[++index];
      if (value === undefined) return undefined;
      if (!isNegated && value !== "" && nameTests.has(word)) branch.names.push(value);
      if (!isNegated && value !== "" && pathTests.has(word)) branch.paths.push(value);
    } else if (withoutValue.has(word)) {
      if (word === "-prune") branch.prunes = true;
    } else if (!and.has(word)) {
      return undefined;
    }
    isNegated = false;
  }
  return open.length > 0 ? undefined : branches.flatMap(namesOf);
}

function createBranch(): Branch {
  return { names: [], paths: [], prunes: false };
}

function addGroup(branch: Branch | undefined, group: readonly Branch[], isNegated: boolean): void {
  if (isNegated) return;
  branch?.names.push(...group.flatMap(({ prunes, names }) => (prunes ? [] : names)));
  branch?.paths.push(
    ...group.flatMap(({ prunes, names, paths }) => (prunes || names.length > 0 ? [] : paths)),
  );
}

function namesOf({ prunes, names, paths }: Branch): readonly string[] {
  if (prunes) return [];
  return names.length > 0 ? names : paths;
}
