import type { ModelApi } from "../apis/dialect.js";

/** How one agent is pointed at a model server from an empty home. */
export interface AgentSetup {
  readonly agent: string;
  /** The API that it is mostly used with. */
  readonly api: ModelApi;
  /** The model that is asked for, for each API that the agent speaks. */
  readonly models: { readonly [Api in ModelApi]?: string };
  /** True when it sends everything through a proxy, loopback included, so that it cannot be given one. */
  readonly ignoresNoProxy?: boolean;
  readonly setup: (place: AgentPlace) => SetupParts;
}

export interface AgentPlace {
  readonly home: string;
  /** `http://127.0.0.1:<port>`. */
  readonly modelUrl: string;
  readonly api: ModelApi;
  readonly model: string;
}

export interface SetupParts {
  readonly env: Readonly<Record<string, string>>;
  /** Added to the agent's own arguments. */
  readonly args?: readonly string[];
  /** Contents by path, relative to the home. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Never a real one: whatever the server is sent, it takes. */
export const testKey = "sk-test";
