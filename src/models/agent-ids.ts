/**
 * Ids of agents that have a list of models of their own, by agent: first the families, then the models by their vendors'
 * ids. A model that an agent does not list is missing here; a family stands for the newest that it lists.
 *
 * Copilot: `copilot help config` of 1.0.102. Droid: `droid exec --help` of 0.225.2.
 */
export const agentIds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  copilot: {
    fable: "claude-fable-5.1",
    "claude-fable-5-1": "claude-fable-5.1",
    "claude-fable-5": "claude-fable-5",
    "claude-opus-5-5": "claude-opus-5.5",
    "claude-opus-5": "claude-opus-5",
    "claude-opus-4-8": "claude-opus-4.8",
    "claude-sonnet-5-5": "claude-sonnet-5.5",
    "claude-sonnet-5": "claude-sonnet-5",
    "claude-sonnet-4-6": "claude-sonnet-4.6",
    "claude-haiku-5-5": "claude-haiku-5.5",
    "claude-haiku-4-5": "claude-haiku-4.5",
    "gpt-6-astra": "gpt-6-astra",
    "gpt-6.1-sol": "gpt-6.1-sol",
    "gpt-6-sol": "gpt-6-sol",
    "gpt-6-luna": "gpt-6-luna",
    "gpt-terra": "gpt-5.6-terra",
    "gpt-5.6-sol": "gpt-5.6-sol",
    "gpt-5.6-terra": "gpt-5.6-terra",
    "gpt-5.6-luna": "gpt-5.6-luna",
    "gpt-5.5": "gpt-5.5",
    "gpt-5.4": "gpt-5.4",
    "gpt-5.4-mini": "gpt-5.4-mini",
    "gpt-5.3-codex": "gpt-5.3-codex",
    "gemini-4-argon": "gemini-4-argon",
    "gemini-3.8-flash": "gemini-3.8-flash",
    "gemini-3.7-flash": "gemini-3.7-flash",
    "grok-4.7": "grok-4.7",
    kimi: "kimi-k3",
    "kimi-k3": "kimi-k3",
  },
};
