// A chat with any agent, in the terminal: node chat.mjs [agent]
// Type a prompt. While the agent works, another prompt waits for its turn; Ctrl-C interrupts the turn, Ctrl-D ends the chat.
import { createInterface } from "node:readline";
import { open, sessionAbilities } from "harness-stream";

const agent = process.argv[2] ?? "claude";
const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
/** The request that the next line answers. */
let waiting;

// Agents without a way to ask get no more rights than reading.
const session = open({ agent, permissions: sessionAbilities(agent)?.ask ? "ask" : "read-only" });

function describe({ name, operations = [], questions = [], message }) {
  const [operation] = operations;
  if (questions.length > 0) return questions.map(({ question }) => question).join(" ");
  if (operation?.type === "command") return `run \`${operation.command}\`?`;
  if (operation?.path !== undefined) return `${operation.type} ${operation.path}?`;
  return message ?? `use ${name}?`;
}

function answer(request, line) {
  const isYes = /^y(es)?$/i.test(line.trim());
  if (request.kind === "question")
    return { answers: Object.fromEntries(request.questions.map(({ id }) => [id, [line]])) };
  if (request.kind === "form") return { decline: true };
  return isYes ? { allow: true } : { allow: false, message: line };
}

lines.on("line", (line) => {
  if (waiting !== undefined) session.answer(waiting.requestId, answer(waiting, line));
  else if (line.trim() !== "") session.send(line);
  else lines.prompt();
});
lines.on("SIGINT", () => session.interrupt());
lines.on("close", () => session.close());
lines.prompt();

for await (const event of session) {
  if (event.type === "agent" && event.role === undefined) console.log(event.message);
  if (event.type === "command") console.log(`  ran ${event.command}`);
  if (event.type === "write") console.log(`  wrote ${event.path}`);
  if (event.type === "request") {
    waiting = event;
    console.log(`${agent} asks: ${describe(event)} ${event.kind === "question" ? "" : "[y/N or a reason]"}`);
  }
  if (event.type === "request_end" && event.requestId === waiting?.requestId) waiting = undefined;
  if (event.type === "turn_end" && event.reason !== "completed")
    console.log(`  (${event.failure?.message ?? event.reason})`);
  if (event.type === "turn_end" || event.type === "request") lines.prompt();
}
const { isSuccess, failure } = await session.result;
if (!isSuccess && failure !== undefined) console.error(failure.message);
