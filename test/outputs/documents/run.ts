import { findAgent } from "../../../src/agents/registry.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import type { RunRecord } from "../../../src/story/run-record.js";
import { readCapture, translateCapture } from "../../support/captures.js";
import { eventsOf, type Given } from "../support.js";

export const startedAt = "2026-01-01T00:00:01.000Z";

/** A run made of these events, between its start and its end. */
export function runOf(...given: Given[]): RunRecord {
  return recordOf(
    eventsOf(
      { type: "started", agent: "claude", cwd: "/repo" },
      ...given,
      { type: "result", isSuccess: true },
      { type: "exited", exitCode: 0, reason: "completed" },
    ),
  );
}

export function recordOf(events: readonly HarnessEvent[], prompt = "Fix the test"): RunRecord {
  const exited = events.find((event) => event.type === "exited");
  return {
    meta: { runId: "r1", agent: "claude", cwd: "/repo", prompt, startedAt },
    outcome: exited?.reason ?? "interrupted",
    events,
  };
}

/** A real run. */
export function captureOf(agent: string, scenario: string): RunRecord {
  const definition = findAgent(agent);
  if (definition === undefined) throw new Error(`no agent ${agent}`);
  const capture = readCapture(agent, scenario);
  const events = translateCapture(definition, capture).flatMap((line) => line.events);
  const run = recordOf(events, `Do ${scenario}`);
  return { ...run, meta: { ...run.meta, agent, cwd: capture.cwd } };
}

/** Seconds after the start. */
export function at(seconds: number): { timestamp: string } {
  return { timestamp: new Date(Date.parse(startedAt) + seconds * 1000).toISOString() };
}

/** What agents print who mean no good. */
export const hostileTexts: readonly string[] = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "</title><img src=x onerror=alert(1)>",
  "--><svg/onload=alert(1)>",
  "]]><iframe srcdoc='<script>alert(1)</script>'></iframe>",
  '" onmouseover="alert(1)" x="',
  "' onfocus='alert(1)' autofocus='",
  "[click](javascript:alert(1)) [b]( JaVaScRiPt:alert(1)) [c](java\nscript:alert(1)) [d](&#106;avascript:alert(1))",
  "<javascript:alert(1)> [x](data:text/html,<script>alert(1)</script>) [y](vbscript:x) [z](file:///etc/passwd)",
  "![pixel](https://evil.example/p.png) ![i][r]\n\n[r]: https://evil.example/q.png",
  "<img src=https://evil.example/x.png><link rel=stylesheet href=//evil.example><meta http-equiv=refresh content=0>",
  "</details></div></main></body></html><h1>gone</h1>",
  "<details><summary>open",
  "<!-- hidden",
  "```\nnever closed",
  "~~~~\n```````\n~~~~",
  "````` `` ` ```",
  "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u001b]0;title",
  "safe\u202egpj.exe \u2066isolated\u2069 \u200e\u061c",
  "\u{e0041}\u{e0042} tagged",
  "a\u2028b\u2029c \u0000\u0007\u0008\u007f\u009b31m",
  "\ud800 lone \udfff",
  '{"a":"</script><script>alert(1)</script>"}',
  "[[[[[[[[[[".repeat(200),
  "> ".repeat(2000),
  "*_".repeat(3000),
  "&lt;b&gt; &amp;amp; &#x3c;script&#x3e;",
  "@octocat fixes #1\n\n# heading\n\n- [ ] task\n\n| a | b |\n|---|:-:|\n| <b>x</b> | `|` |",
];
