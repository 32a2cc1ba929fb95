/** A `harness.toml` to start from: every key, commented out, with what it does. */
export const configTemplate = `# harness.toml: settings for this folder and everything below it.
# Flags win over this file, this file over ~/.config/harness/config.toml. See: harness help configuration
# In a project's file, models_url and [agents.…] count once you have run harness trust there, and again after each change.

# default_agent = "claude"
# default_model = "sonnet"
# default_permissions = "full-access"   # it changes files and runs commands without asking; or "read-only"
# default_timeout_secs = 1800
# models_url = "https://example.com/models.toml"   # where \`harness models update\` fetches from

# [agents.claude]
# binary = "/usr/local/bin/claude"
# model = "opus"
# extra_args = ["--effort", "high"]
# env = { IS_SANDBOX = "1" }

# An agent of your own:
# [agents.parrot]
# module = "./parrot.mjs"      # or: translator = "claude"

# A name of your own for a model:
# [models.big]
# description = "for hard problems"
# claude = "claude-opus-4-8"
# codex = "gpt-6.1-sol"
`;
