import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";

export interface ChosenModel {
  provider: string;
  id: string;
  /** How much it is to think, after the last colon of the name: `provider/model:high`. */
  thinking?: string | undefined;
}

const levels: ReadonlySet<string> = new Set(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);

/** The model that a name means, as `--model` reads it: `model`, `provider/model`, and either with a level of thinking. */
export function chooseModel(name: string, models: JsonValue | undefined): ChosenModel | undefined {
  const known = (asArray(models) ?? []).flatMap((value) => {
    const model = asObject(value);
    const provider = asText(model?.["provider"]);
    const id = asText(model?.["id"]);
    return provider === undefined || id === undefined ? [] : [{ provider, id }];
  });
  const find = (wanted: string): ChosenModel | undefined =>
    known.find(({ provider, id }) => `${provider}/${id}` === wanted) ?? known.find(({ id }) => id === wanted);
  const whole = find(name);
  if (whole !== undefined) return whole;
  const colon = name.lastIndexOf(":");
  const thinking = name.slice(colon + 1);
  const model = colon > 0 && levels.has(thinking) ? find(name.slice(0, colon)) : undefined;
  return model && { ...model, thinking };
}
