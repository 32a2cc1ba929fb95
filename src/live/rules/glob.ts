import { wildcards } from "../../shell/word-shape.js";

/*
 * A glob is a string in which some characters are wildcards (see `shell/word-shape.ts`). A path without any is a glob that
 * matches only itself. So one question covers everything: is there a text that both globs match?
 */

/** Longer texts are not compared. Callers then assume the worst. */
export const longestText = 4096;

/** True if some text matches both. Takes time in proportion to the product of the lengths, whatever the globs are. */
export function overlaps(left: string, right: string): boolean {
  if (left.length > longestText || right.length > longestText) return false;
  const one = spell(left);
  const two = spell(right);
  const width = two.length + 1;
  // Few of the states are ever reached.
  const seen = new Set<number>();
  const open: number[] = [0];
  const goTo = (i: number, j: number): void => {
    const state = i * width + j;
    if (i > one.length || j > two.length || seen.has(state)) return;
    seen.add(state);
    open.push(state);
  };
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const i = Math.floor(state / width);
    const j = state % width;
    if (i === one.length && j === two.length) return true;
    const a = one.charAt(i);
    const b = two.charAt(j);
    goTo(i + skippable(a), j);
    goTo(i, j + skippable(b));
    if (a === "" || b === "") continue;
    if (isMany(a) && takes(a, b)) goTo(i, j + 1);
    if (isMany(b) && takes(b, a)) goTo(i + 1, j);
    if (!isMany(a) && !isMany(b) && (a === b || takes(a, b) || takes(b, a))) goTo(i + 1, j + 1);
  }
  return false;
}

/** One character that is neither `/` nor a dot, or nothing together with the wildcard after it. */
const firstVisible = "\ue004";

function spell(glob: string): string {
  return glob.replaceAll(wildcards.visible, firstVisible + wildcards.some);
}

function isMany(character: string): boolean {
  return character === wildcards.some || character === wildcards.any;
}

/** How many characters of a glob may stand for nothing, from this one on. */
function skippable(character: string): number {
  return character === firstVisible ? 2 : isMany(character) ? 1 : 0;
}

function takes(wildcard: string, character: string): boolean {
  if (wildcard === wildcards.any) return true;
  if (wildcard === wildcards.some || wildcard === wildcards.one) return character !== "/";
  return wildcard === firstVisible && character !== "/" && character !== ".";
}

/** `*` and `?` of a rule as wildcards. `many` is what `*` stands for. */
export function toGlob(text: string, many: string = wildcards.some): string {
  return text.replace(/\*+/g, many).replaceAll("?", wildcards.one);
}
