import { describe, expect, it } from "vitest";
import { createLineGate } from "../../../src/runs/redact/line-gate.js";
import { createRedactor } from "../../../src/runs/redact/redactor.js";

const redactor = createRedactor({ env: {} });
const { text } = redactor;

describe("what is assigned to the name of a secret", () => {
  it.each([
    "password=hunter2",
    "PASSWORD=swordfish",
    "DB_PASSWORD='correct horse'".replace(" horse", "-horse"),
    "password: hunter2",
    'password: "hunter2"',
    '"password": "hunter2"',
    '{\\"password\\": \\"hunter2\\"}',
    "{'passwd': 'hunter2'}",
    'const password = "swordfish";',
    "https://h/login?user=me&password=swordfish&x=1",
    "mysql --password hunter2 -u me",
    "tool --db-password=hunter2",
    "api_key: abcdef0123456789",
    'apiKey: "abcdef0123456789"',
    "export API_KEY=abcdef0123456789",
    "client_secret=abcdef0123456789&grant_type=x",
    "AccountKey=abcdef0123456789==;EndpointSuffix=x",
    "aws_secret_access_key = abcdef0123456789abcdef0123456789abcdef01",
    "//registry.example.com/:_authToken=abcdef0123456789",
    "secret => 'abcdef0123456789'",
    'env["AUTH_TOKEN"] = "abcdef0123456789"',
    "gh auth --token abcdef0123456789",
  ])("is masked: %s", (line) => {
    const masked = text(line);
    expect(masked).toMatch(/\[redacted (?:password|secret)\]/);
    expect(masked).not.toMatch(/hunter2|swordfish|correct-horse|abcdef0123456789/);
    expect(text(masked)).toBe(masked);
  });

  it.each([
    "Cookie: session=abcdef; theme=dark",
    "Set-Cookie: id=a3fWa; Expires=Thu, 21 Oct 2021 07:28:00 GMT",
    "cookie: a=bcdef",
    "-H 'Cookie: session=abcdef'",
    "Authorization: Basic bWU6aHVudGVyMg==",
    "Proxy-Authorization: Digest username=x12345",
    "authorization: token abcdef0123456789",
    "x-api-key: abcdef0123456789",
    "PRIVATE-TOKEN: abcdef0123456789",
  ])("is masked in a header: %s", (line) => {
    expect(text(line)).toMatch(/\[redacted (?:cookie|credentials)\]/);
    expect(text(line)).not.toMatch(/abcdef|a3fWa|bWU6|x12345|bcdef/);
  });

  it.each([
    "password: string;",
    "password = getPassword();",
    "const token = await fetchToken(url);",
    "token: process.env.TOKEN,",
    "connect(user=user, password=password)",
    "connect(password=settings.password, token=token)",
    "password=$PASSWORD",
    `PASSWORD=$${"{DB_PASSWORD}"}`,
    `token: $${"{{ secrets.GITHUB_TOKEN }}"}`,
    "password=***",
    "password=<password>",
    "the password is wrong: try again",
    "Enter your password: ",
    "max_tokens: 4096, input_tokens=12",
    '"token": null, "tokens": ["a", "b"]',
    "if (password === 'x') return;",
    "PWD=/home/me/project1",
    "password_file=/run/secrets/db1",
    "--password-stdin",
    "secretName: my-secret",
    "use --token TOKEN to sign in",
    'integrity: "sha512-kL9Vv2NrAVKoHJpDPwyBnvRzW9zMrS7wP4LKxLHGHrYXZ3N=="',
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id: 123e4567-e89b-12d3-a456-426614174000",
    "cookie: none",
    "Authorization: required",
    "Bearer authentication is used",
    "git@github.com:owner/repo.git",
    "http://localhost:3000/@fs/x",
    "task-list-0123456789-abcdefghij",
  ])("stays when it is code, a type, a placeholder or words: %s", (line) => {
    expect(text(line)).toBe(line);
  });

  it("is masked by the key of a record and by the flag before it", () => {
    const gate = createLineGate<undefined>(redactor);
    const mask = (value: unknown): string | undefined =>
      gate.push("stdout", JSON.stringify(value), undefined)[0]?.text;
    expect(mask({ a: { password: "hunter2", path: "/x" } })).toBe(
      '{"a":{"password":"[redacted password]","path":"/x"}}',
    );
    expect(mask({ headers: { Cookie: "session=abc1234" } })).toContain("[redacted secret]");
    expect(mask({ argv: ["tool", "--password", "hunter2", "next"] })).toBe(
      '{"argv":["tool","--password","[redacted password]","next"]}',
    );
    expect(redactor.words(["tool", "--password", "hunter2"])).toEqual([
      "tool",
      "--password",
      "[redacted password]",
    ]);
  });

  it("is no word of a line that is left alone: numbers, blanks and keys that come twice stay as they are spelled", () => {
    const gate = createLineGate<undefined>(redactor);
    const line = String.raw`{ "n":1e999,"big":12345678901234567890,"password":"hunter2", "a":"\u0041\/","a":"b" }`;
    expect(gate.push("stdout", line, undefined)[0]?.text).toBe(
      line.replace("hunter2", "[redacted password]"),
    );
  });
});
