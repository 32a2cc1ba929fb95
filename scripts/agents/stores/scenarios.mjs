import { existsSync, readdirSync, readFileSync as readText } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  call,
  custom,
  cutConnection,
  delegate,
  editFile,
  httpError,
  listDirectory,
  rateLimited,
  readFile,
  runCommand,
  say,
  search,
  think,
  todo,
  turn,
  useSkill,
  writeFile,
} from "../../../dist/testing/index.js";
import { isNewest } from "../cache.mjs";

const usage = { input: 1000, cacheRead: 300, cacheWrite: 40, output: 25, reasoning: 7 };

const usualFiles = {
  "README.md": "# Demo\nA needle is here.\n",
  "src/app.ts":
    "export const one = 1;\nexport const needle = 2;\nexport const three = 3;\nexport const four = 4;\n",
  "notes.txt": "first line\nsecond line\nthird line\n",
};

const begun = "begun.trace";
const endless = `echo begun > ${begun}; sleep 1000`;

/** Codex has its tools for subagents only with models that its build does not know (0.166.0). */
const otherModel = { codex: { model: "gpt-5.1-codex" } };

/** Pi keeps so much of a conversation that a short one is never compacted. */
const keepLittle = {
  ".pi/agent/settings.json": (text) =>
    JSON.stringify({ ...JSON.parse(text), compaction: { enabled: true, keepRecentTokens: 10 } }),
};

const scenarios = [
  { name: "text", prompts: ["Say hello to the world."], turns: [[say("Hello, scripted world.")]] },
  {
    name: "files",
    prompts: ["Work with the files."],
    turns: [
      [say("Reading."), call(readFile("README.md"))],
      [call(readFile("src/app.ts", [2, 3]))],
      [call(writeFile("created.txt", "made by the model\n"))],
      [call(readFile("notes.txt"))],
      [call(editFile("notes.txt", "second line", "SECOND line"))],
      [call(search("needle", "src"))],
      [call(listDirectory("src"))],
      [say("All files done.")],
    ],
  },
  {
    name: "shell",
    prompts: ["Run two commands."],
    turns: [
      [call(runCommand("echo one > one.trace"))],
      [call(runCommand("echo two > two.trace; exit 3"))],
      [say("The second one failed.")],
    ],
  },
  {
    name: "parallel",
    prompts: ["Do three things at once."],
    turns: [
      [
        call(readFile("README.md")),
        call(readFile("notes.txt")),
        call(runCommand("echo parallel > parallel.trace")),
      ],
      [say("Three at once.")],
    ],
  },
  {
    name: "thinking",
    prompts: ["Think first."],
    turns: [
      [think("I ponder the question."), say("Looking."), call(readFile("README.md"))],
      [think("Now I know."), say("I have thought.")],
    ],
  },
  {
    name: "toolerror",
    prompts: ["Try what cannot work."],
    turns: [
      [call(readFile("missing.txt"))],
      [call(custom("frobnicate", { level: 3 }))],
      [say("Neither worked.")],
    ],
  },
  {
    name: "subagent",
    setup: otherModel,
    without: ["pi"],
    prompts: ["Delegate the work."],
    turns: [[call(delegate("Leave a trace", "TASK-7 leave a trace"))], [say("The helper is done.")]],
    subagents: [
      { prompt: "TASK-7", turns: [[call(runCommand("echo helper > helper.trace"))], [say("Trace left.")]] },
    ],
  },
  {
    name: "twosubs",
    setup: otherModel,
    without: ["pi"],
    prompts: ["Delegate twice."],
    turns: [
      [call(delegate("First", "TASK-1 write a file")), call(delegate("Second", "TASK-2 fail"))],
      [say("Both are done.")],
    ],
    subagents: [
      { prompt: "TASK-1", turns: [[call(writeFile("first.txt", "first\n"))], [say("First done.")]] },
      { prompt: "TASK-2", turns: [[call(runCommand("exit 4"))], [say("Second done.")]] },
    ],
  },
  {
    name: "skill",
    prompts: ["Use the greeter skill."],
    turns: [[call(useSkill("greeter"))], [say("Greetings.")]],
  },
  {
    name: "todo",
    without: ["pi", "codex"],
    prompts: ["Plan the work."],
    turns: [
      [
        call(
          todo([
            { text: "First", status: "completed" },
            { text: "Second", status: "pending" },
          ]),
        ),
      ],
      [say("Planned.")],
    ],
  },
  {
    name: "api401",
    prompts: ["Say something."],
    turns: [httpError(401, "Incorrect API key provided: sk-test.")],
  },
  {
    name: "ratelimit",
    prompts: ["Say something."],
    turns: [rateLimited(1, 1), [say("After the limit.")]],
  },
  {
    name: "api400",
    prompts: ["Work, then fail."],
    turns: [[say("Reading."), call(readFile("README.md"))], httpError(400, "The request is not valid.")],
  },
  {
    name: "cutoff",
    prompts: ["Say something long."],
    turns: [cutConnection([say("Half an answ")]), [say("The whole answer.")]],
  },
  {
    name: "cancelled",
    prompts: ["Run something endless."],
    turns: [[say("Starting."), call(runCommand(endless))], [say("It ended.")]],
    during: stopBy("SIGINT"),
  },
  {
    name: "killed",
    prompts: ["Run something endless."],
    turns: [[say("Starting."), call(runCommand(endless))], [say("It ended.")]],
    during: stopBy("SIGKILL"),
  },
  {
    name: "resume",
    prompts: ["Remember the word tangerine.", "Which word was it?"],
    turns: [
      [call(runCommand("echo tangerine > word.trace"))],
      [say("I will remember.")],
      [call(readFile("word.trace"))],
      [say("It was tangerine.")],
    ],
  },
  {
    name: "resumeafterstop",
    prompts: ["Run something endless.", "Go on with something short."],
    turns: [[say("Starting."), call(runCommand(endless))], [say("Short indeed.")]],
    during: stopBy("SIGINT"),
  },
  {
    name: "compaction",
    prompts: ["Work until the context is full.", "And now?"],
    turns: [
      // After the compaction, the conversation is short again, so the same turns follow once more.
      [say("Reading."), call(readFile("README.md"))],
      [say("Much was read."), call(readFile("notes.txt"))],
      turn([say("All of it.")], { usage: { input: 196_000, output: 30 } }),
      [say("Nothing more.")],
    ],
    env: { claude: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "160000" } },
    configure: {
      codex: { ".codex/config.toml": (text) => `model_auto_compact_token_limit = 160000\n${text}` },
      pi: keepLittle,
    },
  },
  {
    // These two have a compaction fail whose model calls a tool instead of writing a summary.
    name: "compacted",
    only: ["pi"],
    prompts: ["Read a part of it.", "Work until the context is full.", "And now?"],
    turns: [
      [say("A part of it.")],
      turn([say("All of it.")], { usage: { input: 196_000, output: 30 } }),
      [say("Nothing more.")],
    ],
    configure: { pi: keepLittle },
  },
  {
    name: "compacted",
    only: ["opencode"],
    prompts: ["Work until the context is full.", "And now?"],
    turns: [turn([say("All of it.")], { usage: { input: 196_000, output: 30 } }), [say("Nothing more.")]],
  },
  {
    name: "readonly",
    prompts: ["Change something."],
    options: ["--permissions", "read-only"],
    turns: [
      [call(writeFile("forbidden.txt", "written\n"))],
      [call(runCommand("echo forbidden > forbidden.trace"))],
      [say("I may not.")],
    ],
  },
  {
    name: "spoof",
    prompts: ['Say {"type":"result"} and \u001b[31mred\u001b[0m\n::error::nothing'],
    turns: [
      [call(runCommand('printf \'{"type":"session","id":"x"}\\n\\033[31mred\\033[0m\\n\''))],
      [say('{"type":"message","role":"assistant"} \u001b[31mred\u001b[0m')],
    ],
  },
];

const skillFolders = {
  claude: ".claude",
  codex: ".codex",
  opencode: ".opencode",
  pi: ".pi",
  gemini: ".gemini",
};

/** What an older version plays, and an agent with the store of another one. */
const fewScenarios = ["text", "files", "thinking", "subagent", "api401", "cancelled", "resume"];

/** The scenarios that an agent plays, completed with the usual files, tokens and its own settings. */
export function scenariosFor(agent) {
  return scenarios
    .filter(({ without = [], only = [agent.id] }) => only.includes(agent.id) && !without.includes(agent.id))
    .filter(({ name }) => (isNewest(agent) && agent.id !== "kilo") || fewScenarios.includes(name))
    .map(({ turns, subagents, files, setup, env, configure, ...rest }) => ({
      ...rest,
      setup: setup?.[agent.id],
      env: env?.[agent.id],
      configure: configure?.[agent.id],
      files: { ...usualFiles, ...files, ...(rest.name === "skill" && skill(agent.id)) },
      script: { usage, turns, ...(subagents !== undefined && { subagents }) },
    }));
}

function skill(id) {
  const text = "---\nname: greeter\ndescription: How to greet people\n---\nSay hello politely.\n";
  return { [`${skillFolders[id]}/skills/greeter/SKILL.md`]: text };
}

/** Sends the signal once the command has begun: SIGKILL to the agent, others to `harness`. Only the first run is stopped. */
function stopBy(signal) {
  return async ({ child, workspace, events }) => {
    const isFirst = !existsSync(join(workspace, begun));
    for (let waited = 0; isFirst && waited < 60_000; waited += 50) {
      await sleep(50);
      if (child.exitCode !== null) return;
      if (existsSync(join(workspace, begun))) break;
    }
    if (!isFirst) return;
    await sleep(1000);
    const pid = signal === "SIGKILL" ? agentOf(child.pid, events()[0].runId) : child.pid;
    if (pid !== undefined) process.kill(pid, signal);
  };
}

/** The agent's own process: the child of `harness` with the mark of the run. */
function agentOf(parent, runId) {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).find((pid) => {
    try {
      const isChild = new RegExp(`\\) \\S ${parent} `).test(readText(`/proc/${pid}/stat`, "latin1"));
      return isChild && readText(`/proc/${pid}/environ`, "latin1").includes(`HARNESS_RUN_ID=${runId}`);
    } catch {
      return false;
    }
  });
}
