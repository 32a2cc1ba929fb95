/** A `harness.toml` to start from. It has every key, commented out and explained. */
export const configTemplate = `# harness.toml: settings for this directory and everything below it. Remove a # to set a key.
# Flags override this file, and this file overrides ~/.config/harness/config.toml. See: harness help configuration
# In a project's file, models_url, [agents.…] and permissions.allow take effect after harness trust, which is needed again after each change.

# default_agent = "claude"
# default_model = "sonnet"
# default_permissions = "full-access"   # changes files and runs commands without asking; or "read-only", "ask"
# default_timeout = "30m"   # or in seconds: default_timeout_secs = 1800
# models_url = "https://example.com/models.toml"   # where \`harness models update\` fetches from

# Rules for permissions, for agents that can ask: deny before ask before allow. See docs/permissions.md
# [permissions]
# allow = ["read", "search", "list", "command: npm test", "write: src/**"]
# deny = ["read: .env*", "command: git push *"]
# ask = ["command", "fetch"]

# [agents.claude]
# binary = "/usr/local/bin/claude"
# model = "opus"
# extra_args = ["--effort", "high"]
# env = { IS_SANDBOX = "1" }

# A custom agent:
# [agents.parrot]
# module = "./parrot.mjs"      # or: translator = "claude", or protocol = "acp"

# A custom name for a model:
# [models.big]
# description = "for hard problems"
# claude = "claude-opus-4-8"
# codex = "gpt-6.1-sol"
`;
