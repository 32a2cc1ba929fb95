import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** What the answer to `session/new` or `session/load` says about the session. */
export interface SessionState {
  model: string | undefined;
  modeId: string | undefined;
  /** The modes that can be set. */
  modeIds: readonly string[];
  models: readonly JsonValue[];
  /** The option that sets the model, for an agent without `session/set_model`. */
  modelOptionId: string | undefined;
  /** The value of each option. */
  options: ReadonlyMap<string, JsonValue>;
}

export function readSessionState(answer: JsonObject): SessionState {
  const modes = asObject(answer["modes"]);
  const models = asObject(answer["models"]);
  const option = modelOptionIn(answer["configOptions"]);
  return {
    model: asText(models?.["currentModelId"]) ?? asText(option?.["currentValue"]),
    modeId: asText(modes?.["currentModeId"]),
    modeIds: (asArray(modes?.["availableModes"]) ?? []).flatMap(
      (mode) => asText(asObject(mode)?.["id"]) ?? [],
    ),
    models: asArray(models?.["availableModels"]) ?? [],
    modelOptionId: asText(option?.["id"]),
    options: optionsIn(answer["configOptions"]),
  };
}

/** Cline has another option of the same category, for the provider. */
function modelOptionIn(configOptions: JsonValue | undefined): JsonObject | undefined {
  const options = (asArray(configOptions) ?? []).map(asObject);
  return (
    options.find((option) => option?.["id"] === "model") ??
    options.find((option) => option?.["category"] === "model")
  );
}

function optionsIn(configOptions: JsonValue | undefined): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const value of asArray(configOptions) ?? []) {
    const option = asObject(value);
    const id = asText(option?.["id"]);
    if (id !== undefined) values.set(id, option?.["currentValue"] ?? null);
  }
  return values;
}
