/** The baseline: reads a file, splits it into lines and parses every line. */
import { createReadStream } from "node:fs";

export async function splitAndParse(file) {
  let rest = "";
  let lines = 0;
  for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: 256 * 1024 })) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      JSON.parse(line);
      lines += 1;
    }
  }
  return lines;
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(`${await splitAndParse(process.argv[2])}\n`);
