/**
 * The built-in models, as data. Ids and prices are taken from the programs and pages named here, never guessed;
 * `docs/models.md` says how. Prices are those of the vendor's own API for short prompts.
 */

/** The sources of the prices. */
export const sources = {
  claudeCode: { source: "Claude Code 2.1.325", date: "2026-11-13" },
  piAi: { source: "pi-ai 1.5.0 (models.dev)", date: "2026-11-02" },
} as const;

/** How the agents write the models of each vendor: `bare` is the vendor's id, `prefixed` is `vendor/id`. */
export const vendors = {
  anthropic: {
    prices: "claudeCode",
    bare: ["claude", "cline", "goose"],
    prefixed: ["opencode", "kilo", "pi"],
  },
  openai: { prices: "piAi", bare: ["codex", "cline", "goose"], prefixed: ["opencode", "kilo", "pi"] },
  google: { prices: "piAi", bare: ["gemini", "cline", "goose"], prefixed: ["opencode", "kilo", "pi"] },
  xai: { prices: "piAi", bare: ["grok"], prefixed: ["opencode", "kilo", "pi"] },
  moonshotai: { prices: "piAi", bare: [], prefixed: ["opencode", "kilo", "pi"] },
  zai: { prices: "piAi", bare: [], prefixed: ["opencode", "kilo", "pi"] },
  deepseek: { prices: "piAi", bare: [], prefixed: ["opencode", "kilo", "pi"] },
  alibaba: { prices: "piAi", bare: ["qwen"], prefixed: [] },
  cursor: { prices: "piAi", bare: ["cursor"], prefixed: [] },
} as const satisfies Record<string, Vendor>;

interface Vendor {
  prices: keyof typeof sources;
  bare: readonly string[];
  prefixed: readonly string[];
}
export type VendorName = keyof typeof vendors;

export interface ModelRow {
  name: string;
  /** USD per million tokens: input, output, cache read, cache write. */
  price?: readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number];
  /** Ids that do not follow the vendor's rule. An empty id means that the agent does not have the model. */
  ids?: Readonly<Record<string, string>>;
  /** Known only for its price: it cannot be chosen by name. */
  isPriceOnly?: true;
}

/**
 * Models by their vendors' own ids. Ids for Cursor come from `cursor-agent --list-models` of 2026.09.28 and 2026-10-08: the
 * variant listed under the plain name. Ids for Antigravity come from `agy models` of 1.2.14, those for Grok Build from the list
 * that 1.0.41 prints, those for Qwen Code from its documentation (0.22.0).
 */
export const modelRows: Readonly<Record<VendorName, Readonly<Record<string, ModelRow>>>> = {
  anthropic: {
    "claude-fable-5-2": {
      name: "Claude Fable 5.2",
      price: [8, 40, 0.2, 10],
      ids: { opencode: "", kilo: "", pi: "" },
    },
    "claude-fable-5-1": {
      name: "Claude Fable 5.1",
      price: [10, 50, 0.25, 12.5],
      ids: { cursor: "claude-fable-5-1-high" },
    },
    "claude-fable-5": {
      name: "Claude Fable 5",
      price: [10, 50, 1, 12.5],
      ids: { cursor: "claude-fable-5-high" },
    },
    "claude-opus-5-5": {
      name: "Claude Opus 5.5",
      price: [4, 20, 0.2, 5],
      ids: { cursor: "claude-opus-5-5-medium", antigravity: "claude-opus-5-5-medium" },
    },
    "claude-opus-5": {
      name: "Claude Opus 5",
      price: [5, 25, 0.5, 6.25],
      ids: { cursor: "claude-opus-5-high" },
    },
    "claude-opus-4-8": {
      name: "Claude Opus 4.8",
      price: [5, 25, 0.5, 6.25],
      ids: { cursor: "claude-opus-4-8-high" },
    },
    "claude-opus-4-7": {
      name: "Claude Opus 4.7",
      price: [5, 25, 0.5, 6.25],
      ids: { cursor: "claude-opus-4-7-xhigh" },
    },
    "claude-opus-4-6": {
      name: "Claude Opus 4.6",
      price: [5, 25, 0.5, 6.25],
      ids: { cursor: "claude-4.6-opus-high" },
    },
    "claude-opus-4-5": {
      name: "Claude Opus 4.5",
      price: [5, 25, 0.5, 6.25],
      ids: { cursor: "claude-4.5-opus-high" },
    },
    "claude-sonnet-5-5": {
      name: "Claude Sonnet 5.5",
      price: [2, 10, 0.1, 2.5],
      ids: { cursor: "claude-sonnet-5-5-high", antigravity: "claude-sonnet-5-5-high" },
    },
    "claude-sonnet-5": {
      name: "Claude Sonnet 5",
      price: [2, 10, 0.2, 2.5],
      ids: { cursor: "claude-sonnet-5-high" },
    },
    "claude-sonnet-4-6": {
      name: "Claude Sonnet 4.6",
      price: [3, 15, 0.3, 3.75],
      ids: { cursor: "claude-4.6-sonnet-medium" },
    },
    "claude-sonnet-4-5": {
      name: "Claude Sonnet 4.5",
      price: [3, 15, 0.3, 3.75],
      ids: { cursor: "claude-4.5-sonnet" },
    },
    "claude-haiku-5-5": {
      name: "Claude Haiku 5.5",
      price: [0.1, 0.5, 0.01, 0.125],
      ids: { cursor: "claude-haiku-5-5-thinking-high" },
    },
    "claude-haiku-4-5": { name: "Claude Haiku 4.5", price: [1, 5, 0.1, 1.25] },
    "claude-mythos-5-2": { name: "Claude Mythos 5.2", price: [8, 40, 0.2, 10], isPriceOnly: true },
    "claude-mythos-5-1": { name: "Claude Mythos 5.1", price: [10, 50, 0.25, 12.5], isPriceOnly: true },
    "claude-mythos-5": { name: "Claude Mythos 5", price: [10, 50, 1, 12.5], isPriceOnly: true },
    "claude-opus-4-1": { name: "Claude Opus 4.1", price: [15, 75, 1.5, 18.75], isPriceOnly: true },
    "claude-opus-4-0": { name: "Claude Opus 4", price: [15, 75, 1.5, 18.75], isPriceOnly: true },
    "claude-sonnet-4-0": { name: "Claude Sonnet 4", price: [3, 15, 0.3, 3.75], isPriceOnly: true },
  },
  openai: {
    "gpt-6-astra": { name: "GPT-6 Astra", price: [10, 50, 1, 12.5] },
    "gpt-6.1-sol": { name: "GPT-6.1 Sol", price: [2, 10, 0.1, 2.5] },
    "gpt-6.1-terra": { name: "GPT-6.1 Terra", price: [1, 5, 0.05, 1.25] },
    "gpt-6-sol": { name: "GPT-6 Sol", price: [2, 10, 0.2, 2.5] },
    "gpt-6-luna": { name: "GPT-6 Luna", price: [0.1, 0.5, 0.01, 0.125] },
    "gpt-5.6-sol": { name: "GPT-5.6 Sol", price: [4, 20, 0.4, 5], ids: { cursor: "gpt-5.6-sol-medium" } },
    "gpt-5.6-terra": {
      name: "GPT-5.6 Terra",
      price: [2, 12, 0.2, 2.5],
      ids: { cursor: "gpt-5.6-terra-medium" },
    },
    "gpt-5.6-luna": {
      name: "GPT-5.6 Luna",
      price: [0.2, 1.2, 0.02, 0.25],
      ids: { cursor: "gpt-5.6-luna-medium" },
    },
    "gpt-5.5": { name: "GPT-5.5", price: [5, 30, 0.5], ids: { cursor: "gpt-5.5-medium" } },
    "gpt-5.4": { name: "GPT-5.4", price: [2.5, 15, 0.25], ids: { cursor: "gpt-5.4-medium" } },
    "gpt-5.4-mini": {
      name: "GPT-5.4 mini",
      price: [0.75, 4.5, 0.075],
      ids: { cursor: "gpt-5.4-mini-medium" },
    },
    "gpt-5.3-codex": {
      name: "GPT-5.3 Codex",
      price: [1.75, 14, 0.175],
      ids: { cursor: "gpt-5.3-codex" },
    },
    "gpt-5.4-nano": { name: "GPT-5.4 nano", price: [0.2, 1.25, 0.02], isPriceOnly: true },
    "gpt-5.3-codex-spark": { name: "GPT-5.3 Codex Spark", price: [1.75, 14, 0.175], isPriceOnly: true },
    "gpt-5.2": { name: "GPT-5.2", price: [1.75, 14, 0.175], isPriceOnly: true },
    "gpt-5.1": { name: "GPT-5.1", price: [1.25, 10, 0.125], isPriceOnly: true },
    "gpt-5": { name: "GPT-5", price: [1.25, 10, 0.125], isPriceOnly: true },
    "gpt-5-mini": { name: "GPT-5 mini", price: [0.25, 2, 0.025], isPriceOnly: true },
    "gpt-5-nano": { name: "GPT-5 nano", price: [0.05, 0.4, 0.005], isPriceOnly: true },
    "gpt-4.1": { name: "GPT-4.1", price: [2, 8, 0.5], isPriceOnly: true },
    "gpt-4.1-mini": { name: "GPT-4.1 mini", price: [0.4, 1.6, 0.1], isPriceOnly: true },
    "gpt-4o": { name: "GPT-4o", price: [2.5, 10, 1.25], isPriceOnly: true },
    "gpt-4o-mini": { name: "GPT-4o mini", price: [0.15, 0.6, 0.075], isPriceOnly: true },
    "o4-mini": { name: "o4-mini", price: [1.1, 4.4, 0.275], isPriceOnly: true },
    o3: { name: "o3", price: [2, 8, 0.5], isPriceOnly: true },
  },
  google: {
    "gemini-4-argon": { name: "Gemini 4 Argon", price: [2, 10, 0.1], ids: { gemini: "" } },
    "gemini-3.1-pro-preview": {
      name: "Gemini 3.1 Pro",
      price: [2, 12, 0.2],
      ids: { cursor: "gemini-3.1-pro", antigravity: "gemini-3.1-pro-high" },
    },
    "gemini-3.8-flash": {
      name: "Gemini 3.8 Flash",
      price: [0.75, 3.75, 0.075],
      ids: { cursor: "gemini-3.8-flash-high", antigravity: "gemini-3.8-flash-high" },
    },
    "gemini-3.7-flash": {
      name: "Gemini 3.7 Flash",
      price: [0.75, 3.75, 0.075],
      ids: { gemini: "", cursor: "gemini-3.7-flash-high", antigravity: "gemini-3.7-flash-high" },
    },
    "gemini-3.6-flash": {
      name: "Gemini 3.6 Flash",
      price: [0.75, 3.75, 0.075],
      ids: { gemini: "", cursor: "gemini-3.6-flash-high", antigravity: "gemini-3.6-flash-high" },
    },
    "gemini-3.5-flash": {
      name: "Gemini 3.5 Flash",
      price: [1.5, 9, 0.15],
      ids: { cursor: "gemini-3.5-flash" },
    },
    "gemini-3.5-flash-lite": { name: "Gemini 3.5 Flash-Lite", price: [0.3, 2.5, 0.03] },
    "gemini-2.5-pro": { name: "Gemini 2.5 Pro", price: [1.25, 10, 0.125] },
    "gemini-2.5-flash": { name: "Gemini 2.5 Flash", price: [0.3, 2.5, 0.03] },
    "gemini-3.1-flash-lite": { name: "Gemini 3.1 Flash-Lite", price: [0.25, 1.5, 0.025], isPriceOnly: true },
    "gemini-3-flash-preview": { name: "Gemini 3 Flash", price: [0.5, 3, 0.05], isPriceOnly: true },
    "gemini-2.5-flash-lite": { name: "Gemini 2.5 Flash-Lite", price: [0.1, 0.4, 0.01], isPriceOnly: true },
  },
  xai: {
    "grok-4.7": { name: "Grok 4.7", price: [2, 6, 0.5], ids: { grok: "", cursor: "grok-4.7-high" } },
    "grok-4.6": { name: "Grok 4.6", ids: { opencode: "", kilo: "", pi: "" } },
  },
  moonshotai: {
    "kimi-k3.1-pro": { name: "Kimi K3.1 Pro", price: [2, 10, 0.2] },
    "kimi-k3": { name: "Kimi K3", price: [3, 15, 0.3], ids: { cursor: "kimi-k3-max" } },
  },
  zai: {
    "glm-5.3": { name: "GLM-5.3", price: [1.4, 4.4, 0.26] },
    "glm-5.2": { name: "GLM-5.2", price: [1.4, 4.4, 0.26], ids: { cursor: "glm-5.2-high" } },
  },
  /** No price: the sources disagree. */
  deepseek: { "deepseek-v4-pro": { name: "DeepSeek V4 Pro" } },
  alibaba: { "qwen3-coder-plus": { name: "Qwen3 Coder Plus" } },
  cursor: { "composer-2.5": { name: "Composer 2.5" } },
};

export interface Family {
  description: string;
  /** The model that the name stands for, unless `ids` says otherwise. */
  model: string;
  /** Ids for agents that do not have that model, or that have their own name for the family. */
  ids?: Readonly<Record<string, string>>;
}

/**
 * Names that stay the same while models come and go. Claude Code has such names itself and knows which model its provider
 * (Anthropic, Bedrock, Vertex …) offers, so they are passed to it unchanged.
 */
export const families: Readonly<Record<string, Family>> = {
  fable: {
    description: "Anthropic's largest",
    model: "claude-fable-5-2",
    ids: {
      claude: "fable",
      cursor: "claude-fable-5-1-high",
      opencode: "anthropic/claude-fable-5-1",
      kilo: "anthropic/claude-fable-5-1",
      pi: "anthropic/claude-fable-5-1",
    },
  },
  opus: { description: "Anthropic's best for coding", model: "claude-opus-5-5", ids: { claude: "opus" } },
  sonnet: {
    description: "Anthropic's middle: speed and intelligence",
    model: "claude-sonnet-5-5",
    ids: { claude: "sonnet" },
  },
  haiku: { description: "Anthropic's fastest", model: "claude-haiku-5-5", ids: { claude: "haiku" } },
  gpt: {
    description: "OpenAI's workhorse",
    model: "gpt-6.1-sol",
    ids: { cursor: "gpt-5.6-sol-medium" },
  },
  "gpt-astra": { description: "OpenAI's largest", model: "gpt-6-astra" },
  "gpt-terra": {
    description: "OpenAI's balanced one",
    model: "gpt-6.1-terra",
    ids: { cursor: "gpt-5.6-terra-medium" },
  },
  "gpt-luna": {
    description: "OpenAI's fastest",
    model: "gpt-6-luna",
    ids: { cursor: "gpt-5.6-luna-medium" },
  },
  "gpt-mini": {
    description: "the same as gpt-luna",
    model: "gpt-6-luna",
    ids: { cursor: "gpt-5.6-luna-medium" },
  },
  gemini: { description: "Google's Pro", model: "gemini-3.1-pro-preview" },
  "gemini-pro": { description: "the same as gemini", model: "gemini-3.1-pro-preview" },
  "gemini-flash": { description: "Google's Flash", model: "gemini-3.8-flash" },
  "gemini-flash-lite": { description: "Google's fastest", model: "gemini-3.5-flash-lite" },
  grok: { description: "xAI's Grok", model: "grok-4.7", ids: { grok: "grok-4.6" } },
  kimi: { description: "Moonshot's Kimi", model: "kimi-k3.1-pro", ids: { cursor: "kimi-k3-max" } },
  glm: { description: "Z.ai's GLM", model: "glm-5.3", ids: { cursor: "glm-5.2-high" } },
  deepseek: { description: "DeepSeek's Pro", model: "deepseek-v4-pro" },
  qwen: { description: "Alibaba's coder", model: "qwen3-coder-plus" },
  composer: { description: "Cursor's own", model: "composer-2.5" },
};
