import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { agents } from "../../src/agents/registry.js";
import { translateTranscript } from "../support/live-conformance.js";
import { readTranscript, transcriptNames } from "../support/transcripts.js";

const of: Record<string,string> = { "acp-goose":"goose","acp-gemini":"gemini","acp-qwen":"qwen","acp-copilot":"copilot" };
const folders = ["acp-goose","acp-gemini","acp-qwen","acp-copilot","acp-claude-agent-acp","acp-codex-acp","acp-opencode","acp-kilo","acp-cline","acp-pi-acp"];
it("views", () => {
  for (const folder of folders) {
    const agent = agents.find((a) => a.id === (of[folder] ?? "acp"))!;
    let text = "";
    for (const scenario of transcriptNames(folder)) {
      text += `\n##### ${folder}/${scenario}\n`;
      const t = readTranscript(folder, scenario);
      text += "   truth: " + (t.end?.modelRequests ?? []).map((r) => `${r.answer.kind}/${r.answer.status}:${JSON.stringify(r.answer.text ?? "").slice(0, 30)}[${(r.answer.calls ?? []).map((c) => c.tool).join()}]`).join(" ") + "\n";
      let deltas = 0;
      for (const e of translateTranscript(agent, t).flatMap((s) => s.events)) {
        if (e.type === "text" || e.type === "thinking") { deltas++; continue; }
        if (e.type === "warning" && e.line !== undefined && !e.code && t.lines[e.line - 1]?.dir === "err") continue;
        const { timestamp, runId, seq, sessionId, line, ...rest } = e as any;
        const s = JSON.stringify(rest);
        text += `${deltas ? `(${deltas}) ` : ""}${line ?? "-"} ${s.length > 330 ? s.slice(0, 330) + "…" : s}\n`;
        deltas = 0;
      }
    }
    writeFileSync(`/tmp/view-${folder}.txt`, text);
  }
});
