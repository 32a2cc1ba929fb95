import { say } from "./toast.js";

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say("The browser did not allow copying", true);
  }
}
