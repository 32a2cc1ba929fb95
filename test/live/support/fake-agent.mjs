#!/usr/bin/env node
/*
 * A live agent for tests. It reads `{"do":"hello"}`, `{"do":"prompt","text"}`, `{"do":"interrupt"}`, `{"do":"answer","id","allow","message"}`,
 * `{"do":"model","model"}`, `{"do":"steer","text"}`. The first word of a prompt says how it behaves:
 *   say WORDS           answers with the words
 *   ask COMMAND         asks before it "runs" the command, and says what was decided
 *   asktwice COMMAND    asks, and sends the same request again
 *   question            asks a question with two options
 *   sleep               runs a shell command until it is interrupted
 *   deaf                does nothing and does not hear an interrupt
 *   silent              does nothing until it is interrupted
 *   garbage             prints lines that are not its protocol, then answers
 *   flood N             prints N messages, then answers
 *   strange             sends a request that nobody knows, and waits for the refusal
 *   die                 exits with code 3 in the middle of the turn
 *   askdie COMMAND      asks, and dies before the answer
 *   own                 answers, and then begins a turn by itself
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
let turn;
let waiting = new Map();
let child;
let requests = 0;
let model = "fake-1";

function end(status, text) {
  turn = undefined;
  say({ type: "end", status, text });
}

function ask(command, answered) {
  requests += 1;
  const id = `r${requests}`;
  say({ type: "ask", id, command });
  waiting.set(id, answered);
  return id;
}

const behaviours = {
  say: (words) => {
    say({ type: "say", text: words });
    end("ok", words);
  },
  ask: (command) =>
    ask(command, ({ allow, message }) => end("ok", allow ? `ran ${command}` : `denied: ${message ?? ""}`)),
  asktwice: (command) => {
    const id = ask(command, ({ allow }) => end("ok", allow ? `ran ${command}` : "denied"));
    say({ type: "ask", id, command });
  },
  question: () => {
    requests += 1;
    const id = `r${requests}`;
    say({ type: "question", id, question: "Which colour?", options: ["Red", "Blue"] });
    waiting.set(id, ({ answers }) => end("ok", `chose ${answers?.q?.join("+") ?? "nothing"}`));
  },
  sleep: () => {
    child = spawn("sh", ["-c", "sleep 300; echo done"], { stdio: "ignore" });
    say({ type: "say", text: `running ${child.pid}` });
  },
  deaf: () => {
    turn = "deaf";
  },
  silent: () => {},
  garbage: () => {
    process.stdout.write('not json\n\u0000\u0001\n[1,2]\n42\n{"type":\n\n');
    say({ type: "nobody knows this" });
    say({ type: "end" });
  },
  flood: (count) => {
    for (let at = 0; at < Number(count); at++) say({ type: "say", text: `message ${at} ${"x".repeat(100)}` });
    end("ok", "flooded");
  },
  strange: () => {
    say({ type: "strange", id: "x1" });
    waiting.set("x1", ({ error }) => end("ok", `refused: ${error}`));
  },
  die: () => {
    process.stderr.write("it broke\n");
    process.exit(3);
  },
  askdie: (command) => {
    ask(command, () => {});
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 30);
  },
  own: () => {
    end("ok", "first");
    setTimeout(() => {
      say({ type: "own" });
      say({ type: "say", text: "by myself" });
      end("ok", "by myself");
    }, 30);
  },
};

const does = {
  hello: () =>
    process.env.FAKE_REFUSES
      ? say({ type: "refused", message: "Invalid API key" })
      : process.env.FAKE_SILENT
        ? undefined
        : say({ type: "session", id: "fake-session", model }),
  prompt: ({ text }) => {
    turn = "running";
    const [name, ...rest] = text.split(" ");
    (behaviours[name] ?? behaviours.say)(rest.join(" "));
  },
  steer: ({ text }) => say({ type: "say", text: `steered: ${text}` }),
  model: (given) => {
    model = given.model;
    say({ type: "session", id: "fake-session", model });
  },
  answer: (answer) => {
    const answered = waiting.get(answer.id);
    waiting.delete(answer.id);
    answered?.(answer);
  },
  interrupt: () => {
    if (turn === "deaf" || turn === undefined) return;
    child?.kill("SIGKILL");
    waiting = new Map();
    end("interrupted");
  },
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    does[message.do]?.(message);
  })
  .on("close", () => {
    if (!process.env.FAKE_STAYS) process.exit(0);
    setInterval(() => {}, 1000);
  });
process.on("SIGTERM", () => {
  if (!process.env.FAKE_STAYS) process.exit(143);
});
