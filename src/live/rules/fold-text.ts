/**
 * Text reduced to what it may be taken for, by a file system or by a person: without case, accents, invisible characters and
 * look-alikes of Latin letters. Rules that deny or ask compare folded text. Rules that allow compare the text itself.
 */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(unseen, "")
    .replace(/[^\x20-\x7e]/gu, (character) => lookAlikes.get(character) ?? character);
}

/** Combining marks, control characters and characters without width. */
const unseen = /[\p{M}\p{Cc}\p{Cf}\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;

const alphabets: readonly (readonly [looksLike: string, latin: string])[] = [
  ["авеіјкмносрԛѕтуԝхһԁӏгүԍ", "abeijkmhocpqstywxhdlryg"],
  ["αβγεηικνορτυχω", "abyenikvoptuxw"],
  ["ıɡɑʟꞁⱼʀɢɪɴʏʙʜ", "igalljrginybh"],
  ["‐‑‒–—―−⁃", "--------"],
  ["⁄∕⧸╱", "////"],
  ["。꓿·", "..."],
];

const lookAlikes: ReadonlyMap<string, string> = new Map(
  alphabets.flatMap(([letters, latin]) => [...letters].map((letter, index) => [letter, latin.charAt(index)])),
);
