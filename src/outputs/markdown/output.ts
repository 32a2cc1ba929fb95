import type { OutputDefinition } from "../contract.js";
import { createDocument } from "../document.js";

/** A transcript of the whole run, when it has ended. */
export const markdownOutput = {
  name: "markdown",
  summary: "a transcript to paste into a pull request, at the end",
  isForPeople: true,
  extensions: [".md", ".markdown"],
  async open(options = {}) {
    const { toMarkdown } = await import("./transcript.js");
    const limits = options.isFull ? { maxCharacters: Number.POSITIVE_INFINITY } : {};
    return createDocument((run) => toMarkdown(run, { ...limits, patch: options.patch?.() }), options);
  },
} as const satisfies OutputDefinition;
