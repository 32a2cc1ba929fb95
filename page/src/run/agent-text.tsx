import { useState } from "preact/hooks";
import { longestMarkdown, renderMarkdown } from "../../../src/outputs/html/markdown-view.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { cutText } from "../../../src/text/cut.js";
import { formatCount } from "../../../src/text/numbers.js";
import { Html } from "../ui/html.js";

const longestShown = 20_000;
/** A text that still grows is rendered often. Beyond this length it is plain text until it is complete. */
const longestStreamed = 12_000;

/** A text of an agent: rendered as Markdown if it is short, else as plain text. Long texts are cut until the reader asks for more. */
export function AgentText({
  text,
  isPlain = false,
  isStreaming = false,
}: {
  text: string;
  isPlain?: boolean;
  isStreaming?: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  const isMarkdown =
    !isPlain && text.length <= (isStreaming ? longestStreamed : Math.min(longestShown, longestMarkdown));
  if (isMarkdown) return <Html class="prose" markup={renderMarkdown(text)} />;
  const { head, tail, omitted } = cutText(text, isWhole ? 2_000_000 : longestShown);
  if (omitted === 0) return <span class="plain">{cleanText(text)}</span>;
  return (
    <span class="plain">
      {cleanText(head)}
      <button type="button" class="omission" onClick={() => setWhole(true)}>
        {formatCount(omitted)} characters left out{isWhole ? "" : ": show more"}
      </button>
      {cleanText(tail)}
    </span>
  );
}
