/**
 * Every code of a `HarnessError`. Programs rely on them: a code is never renamed, and never given another meaning.
 * docs/errors.md has the same list.
 */
export type ErrorCode =
  /** A run is iterated a second time. */
  | "already_iterated"
  /** Several batches have an id that begins with what was given. */
  | "ambiguous_batch"
  /** Several recordings have an id that begins with what was given. */
  | "ambiguous_session"
  /** `--env` without a name or a `=`. */
  | "bad_env"
  /** `--extra-args` is not plain words. */
  | "bad_extra_args"
  /** `models_url` cannot be fetched from. */
  | "bad_models_url"
  /** The address of a queue is invalid. */
  | "bad_queue_url"
  /** A request of the page of `harness view`, or of another process to a live session, is invalid. */
  | "bad_request"
  /** The address of a shelf is invalid, or its credentials are missing. */
  | "bad_shelf"
  /** The speed of a replay is not above 0. */
  | "bad_speed"
  /** The token for `harness view` is too short, or has other characters than an address may have. */
  | "bad_token"
  /** The workspace of a task cannot be used: it is missing, is not a repository, or cannot be copied. */
  | "bad_workspace"
  /** A batch cannot go on: one of its arms, or what a workspace is made from, is not what it was. */
  | "batch_changed"
  /** Another process runs this batch. */
  | "batch_running"
  /** `harness view` cannot listen on its address. */
  | "cannot_listen"
  /** `harness config init` cannot write the file, or it exists. */
  | "config_not_written"
  /** A model that is empty. */
  | "empty_model"
  /** A prompt that is empty. */
  | "empty_prompt"
  /** A run is iterated after its events were discarded. */
  | "events_not_kept"
  /** The definition of an agent is invalid. */
  | "invalid_agent"
  /** The answer does not fit the request. */
  | "invalid_answer"
  /** A configuration file is invalid. */
  | "invalid_config"
  /** A task, or the options of another function, is invalid. */
  | "invalid_option"
  /** The plan of a batch is invalid. */
  | "invalid_plan"
  /** What was fetched is not a model registry. */
  | "invalid_registry"
  /** A script of the scripted model is invalid. */
  | "invalid_script"
  /** The definition of an agent could not plan the task. */
  | "launch_failed"
  /** A package that only some features need is not installed. */
  | "missing_package"
  /** No agent was named, and not exactly one is installed. */
  | "no_agent"
  /** What a recorded run changed is not known. */
  | "no_changes"
  /** There is no demo of this agent. */
  | "no_demo"
  /** The directory of `harness view --directory` does not exist. */
  | "no_directory"
  /** `harness models update` without a `models_url`. */
  | "no_models_url"
  /** The page of `harness view` is not in the package. */
  | "no_page"
  /** `harness trust` finds no `harness.toml`. */
  | "no_project_config"
  /** No prompt was given. */
  | "no_prompt"
  /** The recording has no session that could be resumed. */
  | "no_session"
  /** The page asks to stop a run that it did not start. */
  | "not_ours"
  /** A client of `harness mcp` asks for more than the server was started with. */
  | "not_permitted"
  /** A prompt that is not UTF-8 text. */
  | "not_text"
  /** The agent takes its prompt as an argument, and the prompt is too long for one. */
  | "prompt_too_long"
  /** The server of the queue does not answer, or refuses. */
  | "queue_unreachable"
  /** The server of the model registry sent something else. */
  | "registry_refused"
  /** The server of the model registry cannot be reached. */
  | "registry_unreachable"
  /** The request was answered, withdrawn or never made. */
  | "request_gone"
  /** The run id is in use. */
  | "run_id_taken"
  /** A turn is running, and the prompt must not wait. */
  | "session_busy"
  /** The session is closed. */
  | "session_closed"
  /** The live session has ended, or takes no prompts and answers of other processes. */
  | "session_gone"
  /** A recording cannot be removed while its run is under way. */
  | "session_running"
  /** A file does not fit on the shelf. */
  | "too_large_for_shelf"
  /** An agent tries to trust a project's file. */
  | "trust_in_run"
  /** `harness trust` cannot ask, and `--yes` was not given. */
  | "trust_not_confirmed"
  /** Trust cannot be recorded or revoked. */
  | "trust_not_written"
  /** A batch with the same cells is not finished. */
  | "unfinished_batch"
  /** No agent has this name. */
  | "unknown_agent"
  /** No batch has this id, or there is none in this directory. */
  | "unknown_batch"
  /** The batch has no such cell, or the cell no such file. */
  | "unknown_cell"
  /** The recording has no such event. */
  | "unknown_event"
  /** No export has this format, or the extension of a file does not say which one is meant. */
  | "unknown_format"
  /** The recording has no such line. */
  | "unknown_line"
  /** It cannot be said which agent printed a log, or it is not a log. */
  | "unknown_log"
  /** No recording has this id. */
  | "unknown_session"
  /** There is no help on this. */
  | "unknown_topic"
  /** The ledger of a batch exists and cannot be read. */
  | "unreadable_batch"
  /** A configuration file exists and cannot be read. */
  | "unreadable_config"
  /** A file that was named cannot be read. */
  | "unreadable_file"
  /** A recording exists and cannot be read. */
  | "unreadable_recording"
  /** The fetched model registry exists and cannot be read. */
  | "unreadable_registry"
  /** The directory of the recordings cannot be read. */
  | "unreadable_sessions"
  /** A recording cannot be removed from the disk. */
  | "unremovable_recording"
  /** The agent cannot express an option. */
  | "unsupported_option"
  /** The agent is defined by a project's file that is not trusted. */
  | "untrusted_config"
  /** A file cannot be written. */
  | "unwritable_file"
  /** The model registry cannot be written. */
  | "unwritable_registry"
  /** A run is to be read-only, and a file gives its agent what may undo that. */
  | "weakened_permissions"
  /** `--resume` names a recording of another agent. */
  | "wrong_agent";

/**
 * The one error class of the project. `code` is stable and meant for programs. The message is a sentence for
 * people that says what is wrong and what to do next.
 */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A `HarnessError` of another copy of this package, which may have codes of its own. */
interface ForeignHarnessError extends Error {
  readonly name: "HarnessError";
  readonly code?: string;
}

/** True for a `HarnessError`, also if another copy of this package threw it: the module of an agent may bring one. */
export function isHarnessError(error: unknown): error is HarnessError | ForeignHarnessError {
  return error instanceof HarnessError || (error instanceof Error && error.name === "HarnessError");
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a file cannot be used, in words for people instead of the system's codes and calls. */
export function problemOf(error: unknown): string {
  return problems[systemCode(error) ?? ""] ?? messageOf(error);
}

const problems: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "something with this name exists already",
  EISDIR: "it is a directory, not a file",
  ENOENT: "there is no such file or directory",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file, not a directory",
  EPERM: "not permitted",
  EROFS: "the disk is read-only",
};

/** The system's code of an error (`ENOENT`), if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
