import type { SessionConfigOption } from "@agentclientprotocol/sdk";

/** The models that a client may choose from, and the one in use. */
export interface ModelChoice {
  readonly options: SessionConfigOption[];
  /** The model in use, as the agent or the client named it. True if it is another one than before. */
  note(model: string): boolean;
}

export interface KnownModel {
  id: string;
  name: string;
  description?: string | undefined;
}

export const modelOptionId = "model";
/** Stands for the agent's own choice, until the agent has named its model. */
const ownChoice = "default";

/** One of these for each session. `model`: the one that was asked for. */
export function createModelChoice(known: readonly KnownModel[], model: string | undefined): ModelChoice {
  let current = model ?? ownChoice;
  return {
    get options(): SessionConfigOption[] {
      const all = known.some(({ id }) => id === current) ? known : [nameOf(current), ...known];
      return [
        {
          type: "select",
          id: modelOptionId,
          name: "Model",
          category: "model",
          currentValue: current,
          options: all.map(({ id, name, description }) => ({
            value: id,
            name,
            ...(description !== undefined && { description }),
          })),
        },
      ];
    },
    note(next) {
      const isOther = next !== current;
      current = next;
      return isOther;
    },
  };
}

function nameOf(id: string): KnownModel {
  return { id, name: id === ownChoice ? "The agent's own choice" : id };
}

/** True if the client asks for the agent's own choice, which an agent cannot be asked for. */
export function isOwnChoice(model: string): boolean {
  return model === ownChoice;
}
