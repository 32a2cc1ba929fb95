/**
 * Measures again until every row was good at least once, `attempts` times at most. Returns the last measurement of the rows that never
 * were. With many rows, one or another is always hit by noise; a loss is one that stays.
 */
export async function lostEveryTime({ measure, isLost, attempts }) {
  let lost;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const worse = (await measure()).filter(isLost);
    const before = lost?.map(({ key }) => key);
    lost = worse.filter(({ key }) => before === undefined || before.includes(key));
    if (lost.length === 0) break;
  }
  return lost;
}
