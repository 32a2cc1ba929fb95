import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";

/** The tasks that run, in the background or not. */
export interface RunningTasks {
  received(record: JsonObject): void;
  readonly ids: readonly string[];
}

const ends: ReadonlySet<string | undefined> = new Set([
  "completed",
  "failed",
  "stopped",
  "killed",
  "cancelled",
]);

export function createRunningTasks(): RunningTasks {
  let running = new Set<string>();

  function changed(record: JsonObject, status: string | undefined): void {
    if (ends.has(status)) running.delete(asText(record["task_id"]) ?? "");
  }

  const subtypes: Readonly<Record<string, (record: JsonObject) => void>> = {
    task_started(record) {
      const id = asText(record["task_id"]);
      if (id !== undefined) running.add(id);
    },
    task_updated: (record) => changed(record, asText(asObject(record["patch"])?.["status"])),
    task_notification: (record) => changed(record, asText(record["status"])),
    background_tasks_changed(record) {
      const tasks = asArray(record["tasks"]) ?? [];
      running = new Set(tasks.flatMap((task) => asText(asObject(task)?.["task_id"]) ?? []));
    },
  };

  return {
    received(record) {
      const subtype = asText(record["subtype"]) ?? "";
      if (record["type"] === "system" && Object.hasOwn(subtypes, subtype)) subtypes[subtype]?.(record);
    },
    get ids() {
      return [...running];
    },
  };
}
