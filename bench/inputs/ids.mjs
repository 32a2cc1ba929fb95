import { visit } from "./commands.mjs";

const idField = /(^|_)id$|I[dD]$|^uuid$/;
/** Ids of what is the same in every run, and of the session: a run has one. */
const otherField = /session|thread|conversation|model|provider|project|extension|language|tool_?id$|turn/i;
const sessionField = /^(session_?id|thread_id|conversation_?id)$/i;
/** Cline names its main agent and its task in every record. */
const sessionFieldOf = { cline: /^(agentId|taskId|conversationId)$/ };

/**
 * The ids of calls and messages in these records, apart from those in `others`. One letter is too little to be found
 * again, and Cline numbers the tasks of a team.
 */
export function idsIn(records, others = []) {
  const ids = new Set();
  for (const record of records)
    visit(record, "", (value, key) => {
      if (value.length > 1 && isIdField(key) && !/^task_\d+$/.test(value)) ids.add(value);
    });
  for (const other of others) ids.delete(other);
  return [...ids];
}

/** Matches these ids in JSON text: a long one as a word, a short one where it is a whole text. */
export function idPattern(ids) {
  const written = ids.map((id) => escaped(JSON.stringify(id).slice(1, -1)));
  const long = written.filter((id) => id.length >= 8).join("|") || "(?!)";
  const short = written.filter((id) => id.length < 8).join("|") || "(?!)";
  return `(?:(?<![\\w-])|(?<=\\\\[bfnrt]))(?:${long})(?![\\w-])|(?<=")(?:${short})(?=\\\\*")`;
}

/** Antigravity counts the steps of a run instead of giving them ids. */
export const stepPattern = '(?<="step_index":)\\d+';

/** The ids of the session of a capture, by field: in each field, the most frequent one. Others are those of subagents. */
export function sessionIdsIn(agent, records) {
  const counts = {};
  const field = sessionFieldOf[agent] ?? sessionField;
  for (const record of records)
    visit(record, "", (value, key) => {
      if (!field.test(key)) return;
      counts[key] ??= {};
      counts[key][value] = (counts[key][value] ?? 0) + 1;
    });
  return Object.fromEntries(Object.entries(counts).map(([key, values]) => [key, mostFrequent(values)]));
}

function isIdField(key) {
  return idField.test(key) && (!otherField.test(key) || /^tool_id$/.test(key));
}

function mostFrequent(counts) {
  return Object.entries(counts).reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
