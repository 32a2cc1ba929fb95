/** Says on standard error what is wrong. */
export function complain(sentence: string): void {
  process.stderr.write(`harness: ${sentence}\n`);
}
