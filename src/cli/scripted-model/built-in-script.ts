/**
 * The script that is played if none is given, in the form of a script file. It does what people want to see: it reads a
 * file, runs a test that fails, edits the file and runs the test again.
 */
export const builtInScript = {
  prompt: "The test for the cart total fails. Find out why and fix it.",
  files: {
    "cart.js": [
      "export function total(items) {",
      "  let sum = 0;",
      "  for (const item of items) {",
      "    sum += item.price;",
      "  }",
      "  return sum;",
      "}",
      "",
    ].join("\n"),
    "cart.test.js": [
      'import assert from "node:assert";',
      'import { total } from "./cart.js";',
      "",
      "assert.equal(total([{ price: 2, quantity: 3 }]), 6);",
      'console.log("The total is right.");',
      "",
    ].join("\n"),
    "package.json": '{ "name": "cart", "type": "module" }\n',
  },
  turns: [
    [{ say: "I will look at the code and run its test." }, { readFile: "cart.js" }],
    { runCommand: "node cart.test.js" },
    [
      { say: "The quantity is missing in the sum." },
      {
        editFile: {
          path: "cart.js",
          oldText: "    sum += item.price;",
          newText: "    sum += item.price * item.quantity;",
        },
      },
    ],
    { runCommand: "node cart.test.js" },
    { say: "The total ignored the quantity of each item. Now it multiplies, and the test passes." },
  ],
} as const;
