import {
  call,
  custom,
  delegate,
  editFile,
  listDirectory,
  patch,
  readFile,
  runCommand,
  say,
  search,
  think,
  useSkill,
  writeFile,
} from "../../../src/testing/index.js";
import type { RealScenario } from "../scenario.js";
import { usualUsage as usage, usualFiles } from "./usual-files.js";

const completed = { exitCode: 0, reason: "completed" } as const;

/** Ordinary work, and tools that fail. */
export const work: readonly RealScenario[] = [
  {
    name: "text",
    prompt: "Say hello to the world.",
    script: { usage, turns: [[say("Hello, scripted world.")]] },
    expected: { ...completed, text: "Hello, scripted world.", operations: [], requests: 1 },
  },
  {
    name: "files",
    prompt: "Work with the files.",
    script: {
      usage,
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
    expected: {
      ...completed,
      text: "All files done.",
      operations: [
        "read README.md ok",
        "read src/app.ts:2-3 ok",
        "write created.txt ok",
        "read notes.txt ok",
        "write notes.txt ok",
        "search needle in src ok",
        "list src ok",
      ],
      changes: {
        "created.txt": "made by the model\n",
        "notes.txt": usualFiles["notes.txt"].replace("second", "SECOND"),
      },
      requests: 8,
    },
  },
  {
    name: "shell",
    prompt: "Run two commands.",
    script: {
      usage,
      turns: [
        [call(runCommand("echo one > one.trace"))],
        [call(runCommand("echo two > two.trace; exit 3"))],
        [say("The second one failed.")],
      ],
    },
    expected: {
      ...completed,
      text: "The second one failed.",
      operations: ["command echo one > one.trace ok", "command echo two > two.trace; exit 3 failed (3)"],
      changes: { "one.trace": "one\n", "two.trace": "two\n" },
      requests: 3,
    },
  },
  {
    name: "parallel",
    prompt: "Do three things at once.",
    isUnordered: true,
    script: {
      usage,
      turns: [
        [
          call(readFile("README.md")),
          call(readFile("notes.txt")),
          call(runCommand("echo parallel > parallel.trace")),
        ],
        [say("Three at once.")],
      ],
    },
    expected: {
      ...completed,
      text: "Three at once.",
      operations: ["read README.md ok", "read notes.txt ok", "command echo parallel > parallel.trace ok"],
      changes: { "parallel.trace": "parallel\n" },
      requests: 2,
    },
  },
  {
    name: "thinking",
    prompt: "Think first.",
    script: { usage, turns: [[think("I ponder the question."), say("I have thought.")]] },
    expected: { ...completed, text: "I have thought.", operations: [], requests: 1 },
  },
  {
    name: "toolerror",
    prompt: "Try what cannot work.",
    script: {
      usage,
      turns: [
        [call(readFile("missing.txt"))],
        [call(custom("frobnicate", { level: 3 }))],
        [say("Neither worked.")],
      ],
    },
    expected: {
      ...completed,
      text: "Neither worked.",
      operations: ["read missing.txt failed"],
      unrecognised: ["frobnicate"],
      requests: 3,
    },
  },
  {
    name: "subagent",
    prompt: "Delegate the work.",
    script: {
      usage,
      turns: [[call(delegate("Leave a trace", "TASK-7 leave a trace"))], [say("The helper is done.")]],
      subagents: [
        {
          prompt: "TASK-7",
          turns: [[call(runCommand("echo helper > helper.trace"))], [say("Trace left.")]],
        },
      ],
    },
    expected: {
      ...completed,
      text: "The helper is done.",
      operations: ["subagent_started", "subagent_completed ok"],
      changes: { "helper.trace": "helper\n" },
      requests: 4,
    },
  },
  {
    name: "skill",
    prompt: "Use the greeter skill.",
    script: { usage, turns: [[call(useSkill("greeter"))], [say("Greetings.")]] },
    expected: { ...completed, text: "Greetings.", operations: ["skill greeter ok"], requests: 2 },
  },
  {
    name: "patch",
    prompt: "Patch three files.",
    files: { "old.txt": "to be deleted\n" },
    script: {
      usage,
      turns: [
        [
          call(
            patch(
              { kind: "add", path: "patched.txt", content: "added\n" },
              {
                kind: "update",
                path: "notes.txt",
                edits: [{ oldText: "first line", newText: "FIRST line" }],
              },
              { kind: "delete", path: "old.txt" },
            ),
          ),
        ],
        [say("Patched.")],
      ],
    },
    expected: {
      ...completed,
      text: "Patched.",
      operations: ["write patched.txt ok", "write notes.txt ok", "write old.txt ok"],
      changes: {
        "patched.txt": "added\n",
        "notes.txt": usualFiles["notes.txt"].replace("first", "FIRST"),
        "old.txt": null,
      },
      requests: 2,
    },
  },
];
