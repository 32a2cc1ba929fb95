import { useEffect, useState } from "preact/hooks";
import type { Abilities, Answer } from "../../../src/agents/live-contract.js";
import type { EventOf } from "../../../src/events/event.js";
import type { RequestedOperation } from "../../../src/events/live-event.js";
import { askRequest } from "../../../src/story/describe-request.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatNumberOf } from "../../../src/text/numbers.js";
import { AgentText, ValueView } from "../run/agent-text.js";
import { type ViewState, watchRun } from "../run/view-state.js";
import { FormFields } from "./form-fields.js";
import { Questions } from "./questions.js";
import type { SessionActions } from "./session-actions.js";

type Request = EventOf<"request">;

interface RequestCardProps {
  request: Request;
  view: ViewState;
  can: Abilities;
  actions: SessionActions;
  /** How many other requests wait. */
  more: number;
  /** False in its first moment: keys do not press its buttons yet. */
  isReady: boolean;
  onAnswered(): void;
}

/** A request of the agent: what it wants, and the choices. It closes when the request is answered, here or elsewhere. */
export function RequestCard(props: RequestCardProps) {
  const { request: given, view, can, actions, more, onAnswered } = props;
  watchRun(view);
  const { request, isWhole } = useWhole(given, view);
  const [isSent, setSent] = useState(false);
  const answer = async (value: Answer): Promise<void> => {
    if (isSent) return;
    setSent(true);
    if (await actions.answer(request.requestId, value)) onAnswered();
    else setSent(false);
  };
  const question = toVisibleLine(askRequest(request, view.cwd.value), 600);
  const common = { request, isReady: isWhole && !isSent, onAnswer: (value: Answer) => void answer(value) };
  return (
    <article
      class={`request-card ${request.kind}${props.isReady ? " ready" : ""}`}
      aria-label={`Request: ${question}`}
    >
      <header>
        <h2 dir="auto">{headOf(request, question)}</h2>
        {more > 0 && <small>{formatNumberOf(more, "more request")} after this one</small>}
      </header>
      <div class="request-body">
        {request.message !== undefined && <AgentText text={request.message} />}
        {(request.kind === "permission" || request.kind === "plan") && <Wanted request={request} />}
        {request.kind === "question" && <Questions key={request.requestId} {...common} />}
        {request.kind === "form" && <FormFields key={request.requestId} {...common} />}
      </div>
      {!isWhole && <p class="dim">Loading all of it…</p>}
      {(request.kind === "permission" || request.kind === "plan") && (
        <Choices {...common} can={can} view={view} />
      )}
    </article>
  );
}

function headOf({ kind, questions = [], operations = [] }: Request, question: string): string {
  // The commands themselves stand below, in full.
  if (kind === "permission" && operations.length > 0 && operations.every(({ type }) => type === "command"))
    return operations.length === 1 ? "May it run this command?" : "May it run these commands?";
  if (kind === "plan") return "May it carry out this plan?";
  if (kind === "question" && questions.length > 1)
    return `It asks ${formatNumberOf(questions.length, "question")}`;
  return question;
}

/** A long request comes shortened. Nobody should decide about what they cannot see, so the rest is fetched first. */
function useWhole(given: Request, view: ViewState): { request: Request; isWhole: boolean } {
  const { source } = view;
  const isCut = source.model.cut.has(given.seq);
  useEffect(() => {
    if (isCut)
      source.readEvent(given.seq).then(
        (event) => source.model.complete(event),
        () => undefined,
      );
  }, [source, given.seq, isCut]);
  return { request: given, isWhole: !isCut };
}

/** What would be done: commands and paths in full, changes as a diff. */
function Wanted({ request: { operations = [], input, kind } }: { request: Request }) {
  const commands = operations.flatMap((each) => (each.type === "command" ? [each] : []));
  const others = operations.filter(({ type }) => type !== "command");
  const isSaid = commands.length > 0 && others.length === 0;
  return (
    <>
      {commands.map(({ command, workingDirectory }, index) => (
        <div key={index}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="command" dir="auto" tabIndex={0}>
            {cleanText(command)}
          </pre>
          {workingDirectory !== undefined && (
            <p class="dim">
              in <code>{toVisibleLine(workingDirectory, 400)}</code>
            </p>
          )}
        </div>
      ))}
      {others.length > 0 && (
        <ul class="wanted">
          {others.map((each, index) => (
            <li key={index}>
              {verbs[each.type]} <code dir="auto">{toVisibleLine(objectOf(each), 1000)}</code>
            </li>
          ))}
        </ul>
      )}
      {input !== undefined && kind !== "plan" && !isSaid && <ValueView title="In detail" value={input} />}
    </>
  );
}

const verbs: Record<RequestedOperation["type"], string> = {
  command: "Run",
  read: "Read",
  write: "Write",
  search: "Search",
  list: "List",
  skill: "Use the skill",
  fetch: "Fetch",
  mcp: "Use the MCP tool",
};

function objectOf(operation: RequestedOperation): string {
  switch (operation.type) {
    case "command":
      return operation.command;
    case "search":
      return operation.path === undefined ? operation.query : `${operation.query} in ${operation.path}`;
    case "fetch":
      return operation.url ?? "an address that it does not name";
    case "mcp":
      return [operation.server, operation.tool].filter((part) => part !== undefined).join(": ");
    default:
      return operation.path ?? ".";
  }
}

interface ChoicesProps {
  request: Request;
  isReady: boolean;
  onAnswer(answer: Answer): void;
  can: Abilities;
  view: ViewState;
}

function Choices({ request, isReady, onAnswer, can, view }: ChoicesProps) {
  const [isReasoning, setReasoning] = useState(false);
  const about = view.source.about.value;
  const hasRules = about?.permissions === "rules";
  const canAlways = request.kind === "permission" && (hasRules || request.choices.includes("allow_always"));
  const agent = about?.row.agent ?? "the agent";
  if (isReasoning) return <Reason isReady={isReady} onAnswer={onAnswer} onBack={() => setReasoning(false)} />;
  return (
    <>
      <div class="card-choices">
        <ChoiceButton
          hotkey="y"
          words="Allow"
          isPrimary
          isReady={isReady}
          onPress={() => onAnswer({ allow: true })}
        />
        {canAlways && (
          <ChoiceButton
            hotkey="a"
            words="Always allow"
            isReady={isReady}
            onPress={() => onAnswer({ allow: true, always: true })}
          />
        )}
        <ChoiceButton hotkey="n" words="Deny" isReady={isReady} onPress={() => onAnswer({ allow: false })} />
        {can.denyReason && (
          <ChoiceButton
            hotkey="e"
            words="Deny with a reason"
            isReady={isReady}
            onPress={() => setReasoning(true)}
          />
        )}
      </div>
      {canAlways && (
        <p class="dim always">
          {hasRules
            ? "Always: exactly this request is allowed for the rest of the session."
            : `Always: ${agent} does not ask again about similar actions in this session. ${agent} decides what is similar.`}
        </p>
      )}
    </>
  );
}

interface ChoiceButtonProps {
  hotkey: string;
  words: string;
  isPrimary?: boolean;
  isReady: boolean;
  onPress(): void;
}

function ChoiceButton({ hotkey, words, isPrimary = false, isReady, onPress }: ChoiceButtonProps) {
  return (
    <button
      type="button"
      class={isPrimary ? "primary" : ""}
      data-key={hotkey}
      aria-keyshortcuts={hotkey}
      disabled={!isReady}
      onClick={onPress}
    >
      {words} <kbd>{hotkey}</kbd>
    </button>
  );
}

function Reason({
  isReady,
  onAnswer,
  onBack,
}: Pick<ChoicesProps, "isReady" | "onAnswer"> & { onBack(): void }) {
  const [message, setMessage] = useState("");
  return (
    <form
      class="reason-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAnswer({ allow: false, ...(message.trim() !== "" && { message }) });
      }}
    >
      <label>
        Why not? The agent reads it.
        <input
          dir="auto"
          autofocus
          ref={(input) => input?.focus()}
          value={message}
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        />
      </label>
      <div class="card-choices">
        <button type="submit" class="primary" disabled={!isReady}>
          Deny
        </button>
        <button type="button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}
