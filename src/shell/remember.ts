/**
 * Caches the latest answers of a pure function of text. Agents run the same few commands again and again, and most
 * report each command twice, when it starts and when it ends.
 */
export function remember<Answer>(answer: (text: string) => Answer, most: number): (text: string) => Answer {
  const remembered = new Map<string, Answer>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const found = answer(text);
    if (remembered.size >= most) remembered.clear();
    // Long texts are rarely repeated and would hold memory.
    if (text.length <= 1000) remembered.set(text, found);
    return found;
  };
}
