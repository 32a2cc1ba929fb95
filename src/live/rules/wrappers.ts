import type { FoundCommand } from "../../shell/script-contents.js";
import type { FoundWord } from "../../shell/word-shape.js";
import { programOf } from "./command-pattern.js";

/**
 * Programs that run another program, or text as a script. To deny, everything behind their names is looked at: each word may
 * begin a command, and each text may be a script. To allow, only the few forms in `innerOf` are understood.
 */
const shells = "bash sh zsh dash ksh mksh ash fish csh tcsh rbash pwsh powershell cmd".split(" ");

/** Everything behind their names is a command, or may be. */
const plainRunners: ReadonlySet<string> = new Set(
  `
    env xargs sudo doas su runuser nohup time timeout gtimeout nice ionice chrt taskset command
    builtin exec eval parallel watch flock script strace ltrace setsid stdbuf unbuffer chroot
    unshare nsenter systemd-run ssh busybox toybox trap alias coproc entr tmux screen at caffeinate
    firejail bwrap proot expect wsl arch setarch xvfb-run dotenv direnv nix-shell gdb perf valgrind
    hyperfine rlwrap sem
  `
    .trim()
    .split(/\s+/),
);

/** Their words are mostly not commands, so a rule such as `npm *` means what it says. */
const tools: ReadonlySet<string> = new Set(
  `
    npx bunx pnpx npm pnpm yarn bun uv uvx poetry pipenv bundle docker podman nix mise asdf find fd
    fdfind
  `
    .trim()
    .split(/\s+/),
);

/** The words of such a tool after which a command comes. */
const toolActions = /^(?:--|-c|exec|x|run|dlx|shell|start|foreach)$/;
const directTools = /^(?:npx|bunx|pnpx|uvx|find|fd|fdfind)$/;

const findActions = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|x|X|-exec(?:-batch)?)(?:=|$)/;
const gitRunners =
  /^(?:-c|--config-env|--exec-path|config|bisect|rebase|submodule|filter-branch|difftool|mergetool)(?:=|$)/;

/** True if the command may run others that its own name does not say. */
export function isRunner({ words }: Pick<FoundCommand, "words">): boolean {
  const [first, ...rest] = words;
  const program = programOf(first?.value ?? "");
  if (program === "git") return rest.some(({ value }) => gitRunners.test(value));
  if (!tools.has(program)) return shells.includes(program) || plainRunners.has(program);
  return directTools.test(program) || rest.some(({ value }) => toolActions.test(value));
}

/** True if a rule must say which program the command runs. `sudo *` does not. */
export function mustNameInner({ words }: Pick<FoundCommand, "words">): boolean {
  const [first, ...rest] = words;
  const program = programOf(first?.value ?? "");
  if (/^(?:find|fd|fdfind)$/.test(program)) return rest.some(({ value }) => findActions.test(value));
  return shells.includes(program) || plainRunners.has(program);
}

/** Programs after which a script may mean something else, or that run what is not in the script. */
const opaque: Readonly<Record<string, string>> = {
  alias: "it defines an alias",
  source: "it runs a file in the shell",
  ".": "it runs a file in the shell",
  trap: "it sets a trap",
  enable: "it changes what the shell's own commands are",
  hash: "it changes which program a name means",
  shopt: "it changes how the shell works",
  setopt: "it changes how the shell works",
  bind: "it binds keys to commands",
  complete: "it sets a completion",
  mapfile: "it may run a callback",
  readarray: "it may run a callback",
};

/** What is inside a command: commands by their words, and texts that may be scripts. */
export interface Inside {
  readonly commands: readonly (readonly FoundWord[])[];
  readonly scripts: readonly string[];
}

const mostSuffixes = 16;

/** Everything that the command may run besides itself. */
export function insideOf({ words, documents }: Pick<FoundCommand, "words" | "documents">): Inside {
  if (!isRunner({ words })) return { commands: [], scripts: [] };
  const program = programOf(words[0]?.value ?? "");
  const rest = words.slice(1);
  const values = rest.map(({ value }) => value);
  const commands = rest
    .map((_word, index) => rest.slice(index))
    .filter(([first]) => !/^-/.test(first?.value ?? ""))
    .slice(0, mostSuffixes);
  const texts = values.flatMap((value) => [value, ...afterSigns(value)]);
  const isJoined = joiners.has(program) ? [values.join(" "), values.slice(1).join(" ")] : [];
  const scripts = [...texts, ...isJoined].filter((text) => /\s|[;|&$`(]/.test(text.trim()));
  return { commands, scripts: [...new Set([...scripts, ...(shells.includes(program) ? documents : [])])] };
}

const joiners = new Set(["eval", "ssh", "watch", "su", "parallel"]);

/** `alias p='git push'`, `-c alias.p='!git push'`, `--exec=x`, `-cgit`. */
function afterSigns(value: string): string[] {
  const equals = value.indexOf("=");
  const assigned = equals === -1 ? [] : [value.slice(equals + 1), value.slice(equals + 1).replace(/^!/, "")];
  const glued = /^-[A-Za-z]+(?=.*\s)/.test(value) ? [value.slice(2)] : [];
  return [...assigned, ...glued];
}

/** Why a command may do what its words do not say. Undefined: its words say it. */
export function doubtAbout({
  words,
  assignments,
}: Pick<FoundCommand, "words" | "assignments">): string | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  if (!first.isCertain) return "only the shell knows which program it runs";
  const program = programOf(first.value);
  if (Object.hasOwn(opaque, program) && rest.length > 0) return opaque[program];
  if (shells.includes(program) && readsItsInput(rest)) return "a shell reads commands from its input";
  if (mustNameInner({ words }) && !isInnerCertain(program, rest)) return "only the shell knows what it runs";
  if (program === "git" && rest.some(({ value }) => /^(?:-c|--config-env|--exec-path=)/.test(value)))
    return "git is given a setting, which may be an alias";
  return assignments.some(({ value }) => /^(?:ENV|BASH_ENV|PROMPT_COMMAND|BASH_FUNC)/.test(value))
    ? "it sets a variable that a shell obeys"
    : undefined;
}

/** The first word that is not an option, a number or an assignment is what runs. To a shell any word may be a script. */
function isInnerCertain(program: string, words: readonly FoundWord[]): boolean {
  if (program === "eval" || shells.includes(program)) return words.every(({ isCertain }) => isCertain);
  return words.find(({ value }) => !/^[-+\d]|=/.test(value))?.isCertain !== false;
}

function readsItsInput(words: readonly FoundWord[]): boolean {
  return (
    words.every(({ value }) => /^[-+]/.test(value)) || words.some(({ value }) => /^-\w*s\w*$/.test(value))
  );
}

/** Programs that change the files they are given, and those that print or copy them. */
export const knownWriters: ReadonlySet<string> = new Set(
  "rm mv cp tee touch truncate ln chmod chown chgrp install mkdir rmdir shred rsync patch dd unlink ed ex vi vim nano emacs sponge split scp trash".split(
    " ",
  ),
);
export const knownReaders: ReadonlySet<string> = new Set(
  "cat head tail less more nl sed awk gawk cp mv base64 xxd od strings grep egrep fgrep rg sort uniq cut tac rev diff cmp hexdump bat tar zip scp rsync dd jq yq".split(
    " ",
  ),
);
