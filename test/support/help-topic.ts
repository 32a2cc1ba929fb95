import { vi } from "vitest";
import { runProgram } from "../../src/cli/program.js";

/** What `harness help TOPIC` prints. */
export async function helpTopic(topic: string): Promise<string> {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk, ...rest) => {
    printed.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const done = rest.find((one) => typeof one === "function");
    done?.();
    return true;
  });
  try {
    await runProgram([process.execPath, "harness", "help", topic]);
  } finally {
    write.mockRestore();
  }
  return printed.join("");
}
