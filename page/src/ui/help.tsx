import { Dialog } from "./dialog.js";

const groups: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["/", "search"],
      ["s", "start a run"],
      ["o", "open a log"],
      ["t", "light, dark or system colours"],
      ["?", "this help"],
    ],
  },
  {
    title: "In lists",
    keys: [
      ["j  k", "next, previous"],
      ["Enter", "open, unfold"],
      ["g  G", "first, last"],
      ["x", "choose a run"],
      ["c", "compare the chosen runs"],
    ],
  },
  {
    title: "In a live session",
    keys: [
      ["i", "write a prompt"],
      ["Enter", "send it (Shift-Enter: a new line)"],
      ["y  n", "allow, deny"],
      ["a", "always allow"],
      ["e", "deny with a reason"],
      ["Esc  Esc", "interrupt the turn"],
    ],
  },
  {
    title: "In a batch",
    keys: [
      ["←  →", "previous, next cell"],
      ["↑  ↓", "the line above, below"],
      ["Home  End", "first, last of the line"],
      ["Enter", "open the run of the cell"],
      ["Esc", "back to the batches"],
    ],
  },
  {
    title: "In a run",
    keys: [
      ["1  2", "changes, timeline"],
      ["3  4", "overview, raw"],
      ["Enter", "show the contents of an entry"],
      ["n  N", "next, previous problem"],
      ["h  l", "fold, unfold a subagent (also ← →)"],
      ["f", "follow the end"],
      ["r", "go to the raw line, and back"],
      ["v", "raw lines: pretty print all"],
      [":", "raw lines: go to a line"],
      ["c  m", "copy as JSON, as Markdown"],
      ["p  Space", "replay, play or pause"],
      ["←  →", "back, forward in a replay"],
      ["Esc", "close the replay; back to the list"],
    ],
  },
];

export function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="help">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, words]) => (
                <div key={key}>
                  <dt>
                    {key.split("  ").map((each, index) => (
                      <kbd key={index}>{each}</kbd>
                    ))}
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="dim">
        Drop an agent’s native log or a <code>raw.jsonl</code> anywhere on the page to open it. It stays in
        the browser.
      </p>
    </Dialog>
  );
}
