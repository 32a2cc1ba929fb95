// A chat with any agent, in the terminal: node chat.mjs [agent]
// Type a prompt. While the agent works, another prompt waits for its turn; Ctrl-C interrupts the turn, Ctrl-D ends the chat.
import { createInterface } from "node:readline";
import { open, sessionAbilities } from "harness-stream";

const agent = process.argv[2] ?? "claude";
const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
/** The request that the next line answers. Others wait behind it. */
let asked;

// Agents without a way to ask get no more rights than reading.
const session = open({ agent, permissions: sessionAbilities(agent)?.ask ? "ask" : "read-only" });

function describe({ name, operations = [], questions = [], message }) {
  const [operation] = operations;
  const withOptions = ({ question, options = [] }) =>
    options.length === 0 ? question : `${question} (${options.map(({ label }) => label).join(" / ")})`;
  if (questions.length > 0) return questions.map(withOptions).join(" ");
  if (operation?.type === "command") return `run \`${operation.command}\`?`;
  if (operation?.path !== undefined) return `${operation.type} ${operation.path}?`;
  return message ?? `use ${name}?`;
}

function answer(request, line) {
  if (request.kind === "question")
    return { answers: Object.fromEntries(request.questions.map(({ id }) => [id, [line]])) };
  if (request.kind === "form") return { decline: true };
  return /^y(es)?$/i.test(line.trim()) ? { allow: true } : { allow: false, message: line };
}

/** Shows the first open request, if it was not shown yet. */
function ask() {
  if (session.requests.some(({ requestId }) => requestId === asked?.requestId)) return;
  asked = session.requests[0];
  if (asked === undefined) return;
  console.log(`${agent} asks: ${describe(asked)} ${asked.kind === "question" ? "" : "[y/N or a reason]"}`);
  lines.prompt();
}

lines.on("line", (line) => {
  const [request] = session.requests;
  if (request !== undefined) session.answer(request.requestId, answer(request, line));
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
  if (event.type === "request" || event.type === "request_end") ask();
  if (event.type === "turn_end" && event.reason !== "completed")
    console.log(`  (${event.failure?.message ?? event.reason})`);
  if (event.type === "turn_end") lines.prompt();
}
const { isSuccess, failure } = await session.result;
if (!isSuccess && failure !== undefined) console.error(failure.message);
