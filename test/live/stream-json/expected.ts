/**
 * What happened in every transcript, read against the transcript and what the model was asked: `summary.ts` writes these lines.
 * `[…]` has the tokens of the turn. Where the versions differ, each has its own.
 */
export const expected: Readonly<
  Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>
> = {
  api401: ["Hi → failed auth: - [0]", "Again → failed auth: - [0]", "session auth"],
  api500: ["Hi → failed provider: - [0]", "Again → failed provider: - [0]", "session provider"],
  background: [
    "Start it → completed: It runs in the background. [300]",
    "(agent) → completed: I saw that it ended. [150]",
    "session ok",
  ],
  "background-end": ["Start it → completed: It runs in the background. [300]", "session killed"],
  "cancel-queued": ["  steered: TO-BE-CANCELLED", "Sleep → completed: After the tool. [300]", "session ok"],
  controls: [
    "First → completed: One. [150]",
    "Second → completed: Two. [300]",
    "Third → completed: Three. [150]",
    "session ok",
  ],
  cutoff: {
    "2.1.197": [
      "Hi → failed network: This text is cut in the mid [0]",
      "Again → failed network: This text is cut in the mid [0]",
      "session network",
    ],
    "2.1.325": ["Hi → failed network: - [363]", "Again → failed network: - [363]", "session network"],
  },
  "end-mid-turn": ["Sleep → completed: Finished although stdin is closed. [300]", "session ok"],
  "end-while-asking": [
    "  permission Bash | command touch made.txt: withdrawn by agent",
    "Make → completed: Never asked. [300]",
    "session ok",
  ],
  garbage: ["session crash"],
  "garbage-type": ["Hi → completed: Still here. [150]", "session ok"],
  hello: [
    "First prompt → completed: Hello from the model, turn one. [150]",
    "Second prompt → completed: Second answer. [150]",
    "Third prompt → completed: Third answer. [150]",
    "session ok",
  ],
  image: ["What is this? → completed: A picture. [150]", "session ok"],
  "initialize-full": ["Read it → completed: One. [300]", "session ok"],
  "interrupt-idle": ["First → completed: One. [150]", "Second → completed: Two. [150]", "session ok"],
  "interrupt-permission": [
    "  permission Bash | command touch made.txt: withdrawn by agent",
    "Make a file → interrupted: - [150]",
    "Second prompt → completed: After. [150]",
    "session ok",
  ],
  "interrupt-queue": [
    "  steered: QUEUED",
    "Talk → interrupted: Beginning.  [?]",
    "QUEUED → completed: Answer to what was queued. [150]",
    "session ok",
  ],
  "interrupt-text": [
    "Tell a story → interrupted: Beginning of a long answer.  [?]",
    "Second prompt → completed: After the interrupt. [150]",
    "session ok",
  ],
  "killed-idle": ["Hi → completed: Hi. [150]", "session killed"],
  "killed-term": ["Sleep → failed killed: - [?]", "session killed"],
  "live-for-comparison": ["Do things → completed: All done. [600]", "session ok"],
  "no-initialize": [
    "Plain string content → completed: One. [150]",
    "again → completed: Two. [150]",
    "session ok",
  ],
  "oneshot-for-comparison": ["(agent) → completed: All done. [600]", "session ok"],
  "permission-allow": [
    "  permission Bash | command touch made.txt && echo made: allowed by caller",
    "Make a file → completed: Allowed. [300]",
    "  permission Bash | command touch other.txt && echo other: allowed by caller",
    "Make another → completed: Second. [300]",
    "session ok",
  ],
  "permission-always": [
    "  permission Write | write /workspace/a.txt: allowed by caller",
    "Write files → completed: Done. [750]",
    "session ok",
  ],
  "permission-deny": [
    "  permission Bash | command touch made.txt: denied by caller (No, not this one.)",
    "Make a file → completed: Denied, so I stop. [300]",
    "session ok",
  ],
  "permission-deny-interrupt": [
    "  permission Bash | command touch made.txt: denied by caller (Stop all.)",
    "Make a file → interrupted: - [150]",
    "Go on → completed: After the next prompt. [150]",
    "session ok",
  ],
  "permission-error": [
    "  permission Bash | command touch made.txt: denied by caller (client cannot answer)",
    "Make a file → completed: After an error. [300]",
    "session ok",
  ],
  "permission-parallel": [
    "  permission Bash | command touch a.txt: allowed by caller",
    "  permission Bash | command touch b.txt: allowed by caller",
    "  permission Write | write /workspace/c.txt: allowed by caller",
    "Make files → completed: Done. [300]",
    "session ok",
  ],
  "permission-updated-input": [
    "  permission Bash | command touch made.txt: allowed by caller",
    "Make a file → completed: Done. [300]",
    "session ok",
  ],
  "permission-without-flag": ["Make a file → completed: Not asked. [300]", "session ok"],
  plan: [
    "  plan ExitPlanMode: allowed by caller",
    "  permission Write | write /workspace/made.txt: allowed by caller",
    "Plan it → completed: Plan done. [450]",
    "session ok",
  ],
  "plan-enter": [
    "  plan ExitPlanMode: allowed by caller",
    "Plan it → completed: Plan done. [450]",
    "session ok",
  ],
  "plan-reject": [
    "  plan ExitPlanMode: denied by caller (Plan better.)",
    "Plan it → completed: I plan again. [300]",
    "session ok",
  ],
  question: [
    "  question AskUserQuestion | Which colour? | Which sizes?: answered by caller",
    "Ask me → completed: Red it is. [300]",
    "session ok",
  ],
  "question-bypass": [
    "  question AskUserQuestion | Which colour?: answered by caller",
    "  plan ExitPlanMode: allowed by caller",
    "Ask me → completed: Fine. [750]",
    "session ok",
  ],
  "question-declined": [
    "  question AskUserQuestion | Which colour?: denied by caller (The user does not want to answer.)",
    "Ask me → completed: No answer, fine. [300]",
    "session ok",
  ],
  "question-unanswered": [
    "  question AskUserQuestion | Which colour?: denied by caller",
    "Ask me → completed: Hm. [300]",
    "session ok",
  ],
  refused: ["Hi → failed network: - [0]", "session network"],
  replay: ["  steered: Second", "First → completed: One. [300]", "session ok"],
  "resume-1": ["Remember 42 → completed: My first answer. [150]", "session ok"],
  "resume-2": ["What was it? → completed: Answer after resume. [300]", "session ok"],
  "resume-fork": ["Fork? → completed: Forked. [150]", "session ok"],
  "resume-unknown": ["Hm? → failed config: - [0]", "session config"],
  "sdk-mcp": [
    "  permission mcp__mine__add | mcp mine add: allowed by caller",
    "Add → completed: Three. [300]",
    "session ok",
  ],
  "second-while-busy": [
    "  steered: MESSAGE-WHILE-BUSY",
    "Sleep → completed: After the tool. [300]",
    "session ok",
  ],
  "second-while-busy-now": [
    "  steered: MESSAGE-NOW",
    "Sleep → interrupted: - [150]",
    "MESSAGE-NOW → completed: After the now message. [150]",
    "session ok",
  ],
  "second-while-busy-text": [
    "  steered: BUSY-ONE",
    "  steered: BUSY-TWO",
    "Talk → completed: End of text. [150]",
    "BUSY-ONE\\n\\nBUSY-TWO → completed: Second answer. [150]",
    "session ok",
  ],
  slash: {
    "2.1.197": [
      "Hi → completed: One. [150]",
      "/compact → completed: Not enough messages to compact. [0]",
      "/context → completed: ## Context Usage [0]",
      "/clear → completed: - [0]",
      "Hi again → completed: One. [150]",
      "session ok",
    ],
    "2.1.325": [
      "Hi → completed: One. [150]",
      "/compact → completed: - [300]",
      "/context → completed: ## Context Usage [0]",
      "/clear → completed: - [0]",
      "Hi again → completed: One. [150]",
      "session ok",
    ],
  },
  subagent: {
    "2.1.197": [
      "  permission of a subagent Bash | command touch by-subagent.txt: allowed by caller",
      "Delegate → completed: Done. [600]",
      "session ok",
    ],
    "2.1.325": [
      "  permission of a subagent Bash | command touch by-subagent.txt: allowed by caller",
      "Delegate → completed: Done. [450]",
      "(agent) → completed: The script is over. [300]",
      "session ok",
    ],
  },
  todo: {
    "2.1.197": [
      "  plan: First pending",
      "  plan: First pending, Second pending",
      "  plan: First completed, Second pending",
      "Make a list → completed: Done. [450]",
      "session ok",
    ],
    "2.1.325": ["Make a list → completed: Done. [450]", "session ok"],
  },
  tools: [
    "  permission Edit | write /workspace/src/add.js: allowed by caller",
    "  permission Bash | command echo bad; exit 3: allowed by caller",
    "  permission Write | write /workspace/new.txt: allowed by caller",
    "Do things → completed: All done. [1050]",
    "session ok",
  ],
};
