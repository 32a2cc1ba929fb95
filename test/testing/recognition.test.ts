import { describe, expect, it } from "vitest";
import { call, readFile, runCommand, say } from "../../src/testing/index.js";
import { chatTools, post, startModel } from "./support.js";

/** Tools that real requests advertised: in main conversations, subagents and restricted modes. */
const requests: [agent: string, tools: string][] = [
  ["claude", "Agent Bash Edit Read Skill TaskCreate WebFetch Write"],
  ["codex", "exec_command write_stdin request_user_input apply_patch view_image tool_search web_search"],
  ["opencode", "bash edit glob grep read skill task todowrite webfetch write"],
  ["opencode", "apply_patch bash glob grep read skill task todowrite webfetch"],
  ["opencode", "bash edit glob grep read skill webfetch write"],
  [
    "kilo",
    "background_process bash board_post board_read edit glob grep kilo_local_recall read skill task todowrite webfetch write",
  ],
  ["pi", "read bash edit write"],
  ["pi", "read grep find ls"],
  ["cline", "read_files search_codebase run_commands fetch_web_content apply_patch ask_question spawn_agent"],
  ["goose", "analyze delegate edit load load_skill read_image shell tree write"],
  [
    "gemini",
    "list_directory read_file grep_search glob replace write_file run_shell_command invoke_agent activate_skill",
  ],
  ["gemini", "list_directory read_file grep_search glob complete_task"],
  [
    "qwen",
    "tool_search agent skill list_directory read_file grep_search glob edit write_file run_shell_command todo_write",
  ],
  ["copilot", "bash read_bash view create edit skill sql grep glob task"],
  ["copilot", "bash read_bash view apply_patch skill sql rg glob task"],
  ["claude", "Agent Bash Edit ListAgents Read ReportFindings ScheduleWakeup Skill ToolSearch Workflow Write"],
  [
    "qwen",
    "agent edit glob grep_search loop_wakeup monitor notebook_edit read_file run_shell_command skill tool_call write_file",
  ],
  [
    "grok",
    "run_terminal_command read_file search_replace list_dir grep todo_write spawn_subagent monitor use_tool write",
  ],
  ["droid", "Read LS Execute Edit Grep Glob Create TaskOutput TaskStop ToolSearch Skill Task"],
  ["droid", "Read LS Execute ApplyPatch Grep Glob TaskOutput TaskStop ToolSearch Skill Task"],
  ["kimi", "Agent AgentSwarm Bash CronCreate Edit FetchURL Glob Grep Read Skill TodoList WaitFor Write"],
  [
    "kimi",
    "Bash CronCreate Edit FetchURL Glob Grep Read ReadMediaFile Skill TaskList TodoList WaitFor Write",
  ],
];

const messages = [{ role: "user", content: "hello" }];

describe("the agent of a request", () => {
  it.each(requests)("%s: %s", async (agent, tools) => {
    const model = await startModel([[say("Hi.")]]);
    await post(model, "/v1/chat/completions", {
      model: "m",
      messages,
      tools: chatTools(...tools.split(" ")),
    });
    expect(model.requests[0]?.agent).toBe(agent);
  });

  it("can be given by its id", async () => {
    const model = await startModel([[call(runCommand("ls"))]], { agent: "goose" });
    await post(model, "/v1/chat/completions", { model: "m", messages, tools: chatTools("shell", "bash") });
    expect(model.requests[0]?.answer.calls[0]).toMatchObject({ tool: "shell", input: { command: "ls" } });
    await expect(startModel([], { agent: "nobody" })).rejects.toThrow('No tool table for "nobody"');
  });

  it("can be a custom agent with its own table", async () => {
    const agent = {
      agent: "mine",
      tools: [],
      shell: [{ tool: "sh", input: ({ command }: { command: string }) => ({ line: command }) }],
      ways: {},
    };
    const model = await startModel([[call(runCommand("ls"))]], { agent });
    await post(model, "/v1/chat/completions", { model: "m", messages, tools: chatTools("sh") });
    expect(model.requests[0]).toMatchObject({
      agent: "mine",
      answer: { calls: [{ tool: "sh", input: { line: "ls" } }] },
    });
  });

  it("knows a question that Grok adds to the whole conversation, which is no turn of it", async () => {
    const model = await startModel([[say("First.")], [say("Second.")]]);
    const question =
      "<system-reminder>Write an ultra-short dashboard line that captures the reply.</system-reminder>";
    const asked = [
      ...messages,
      { role: "assistant", content: "First." },
      { role: "user", content: question },
    ];
    const tools = chatTools("run_terminal_command", "read_file", "search_replace", "list_dir");
    await post(model, "/v1/chat/completions", { model: "m", messages, tools });
    await post(model, "/v1/chat/completions", { model: "m", messages: asked, tools });
    expect(model.requests.map(({ answer }) => answer.kind)).toEqual(["turn", "side"]);
  });

  it("finds the workspace in the prompt of an agent that needs absolute paths", async () => {
    const model = await startModel([[call(readFile("a.ts"))]]);
    const opening = [{ role: "user", content: "<system-reminder>\n% pwd\n/ws/demo\n\n</system-reminder>" }];
    const tools = chatTools("Read", "LS", "Execute", "Create", "Edit");
    await post(model, "/v1/chat/completions", { model: "m", messages: [...opening, ...messages], tools });
    expect(model.requests[0]?.answer.calls[0]?.input).toEqual({ file_path: "/ws/demo/a.ts" });
  });

  it("ignores the calls that Copilot makes in the model's name", async () => {
    const model = await startModel([[say("First.")], [say("Second.")]]);
    const call = { id: "6d361bbc-f088", type: "function", function: { name: "read_bash", arguments: "{}" } };
    const asked = [
      ...messages,
      { role: "assistant", content: "First." },
      { role: "user", content: "<system_notification>\nA command has ended.\n</system_notification>" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: call.id, content: "its output" },
    ];
    const tools = chatTools("bash", "read_bash", "view", "create", "edit", "sql");
    await post(model, "/v1/chat/completions", { model: "m", messages: asked, tools });
    expect(model.requests[0]).toMatchObject({ step: 1, toolResults: [], answer: { text: "Second." } });
  });

  it("ignores the answers that Qwen invents for the model", async () => {
    const model = await startModel([[say("First.")]]);
    const opening = [
      { role: "user", content: "I'm currently working in the directory: /ws" },
      { role: "assistant", content: "Got it. Thanks for the context!" },
    ];
    const tools = chatTools("agent", "skill", "read_file", "edit", "run_shell_command", "todo_write");
    await post(model, "/v1/chat/completions", { model: "m", messages: [...opening, ...messages], tools });
    expect(model.requests[0]).toMatchObject({ agent: "qwen", step: 0, answer: { text: "First." } });
  });
});
