/** The initial files of every workspace. */
export const usualFiles = {
  "README.md": "# Demo\nA needle is here.\n",
  "src/app.ts":
    "export const one = 1;\nexport const needle = 2;\nexport const three = 3;\nexport const four = 4;\n",
  "notes.txt": "first line\nsecond line\nthird line\n",
};

/** Distinct numbers, so that a mix-up of two classes is noticed. */
export const usualUsage = { input: 1000, cacheRead: 300, cacheWrite: 40, output: 25, reasoning: 7 };
