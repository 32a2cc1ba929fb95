import type { OutputDefinition } from "../contract.js";
import { createDocument } from "../document.js";

/** The whole run as one HTML file, when it has ended. */
export const htmlOutput = {
  name: "html",
  summary: "one page that opens offline, at the end",
  isForPeople: true,
  extensions: [".html", ".htm"],
  async open(options = {}) {
    const { toHtml } = await import("./page.js");
    return createDocument(
      (run) => toHtml(run, { isFull: options.isFull, patch: options.patch?.() }),
      options,
    );
  },
} as const satisfies OutputDefinition;
