import type { ModelApi } from "../apis/dialect.js";

/** How to configure one agent for a model server, starting from an empty home. */
export interface AgentSetup {
  readonly agent: string;
  /** The API that the agent is mostly used with. */
  readonly api: ModelApi;
  /** The default model for each API that the agent speaks. */
  readonly models: { readonly [Api in ModelApi]?: string };
  /** True if it sends even loopback requests through a proxy, so that no proxy can be set. */
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

/** Not a real key: the server accepts any. */
export const testKey = "sk-test";
