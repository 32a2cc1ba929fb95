import { html, Markup } from "./markup.js";

/** What a page is made of. The policy must allow the style and the script by their hashes. */
export interface DocumentParts {
  title: string;
  /** The directives of its Content-Security-Policy, besides those that every page has. */
  policy: readonly string[];
  style: string;
  body: Markup;
  script?: string | undefined;
}

/** One HTML file that needs nothing else. Its policy allows what is named, and no connection to anywhere. */
export function toDocument({ title, policy, style, body, script }: DocumentParts): string {
  const directives = ["default-src 'none'", ...policy, "base-uri 'none'", "form-action 'none'"].join("; ");
  const page = html`<!doctype html>${"\n"}
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${new Markup(directives)}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>${title}</title>
        <style>${new Markup(style)}</style>
      </head>
      <body>
        ${body}
        ${script !== undefined && html`<script>${new Markup(script)}</script>`}
      </body>
    </html>${"\n"}`;
  return page.text;
}
