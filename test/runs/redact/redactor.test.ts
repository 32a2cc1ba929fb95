import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineGate } from "../../../src/runs/redact/line-gate.js";
import { createRedactor } from "../../../src/runs/redact/redactor.js";

/** Secrets are put together here, so that no file holds what looks like one. */
const filler = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2";
const keyHead = ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ");
const keyFoot = ["-----END RSA", "PRIVATE KEY-----"].join(" ");

const secrets: readonly [kind: string, secret: string][] = [
  ["anthropic-key", `sk-${"ant"}-api03-${filler}`],
  ["openai-key", `sk-${"proj"}-${filler}`],
  ["api-key", `sk-${filler}`],
  ["github-token", `gh${"p"}_${filler}`],
  ["github-token", `github_${"pat"}_${filler}`],
  ["gitlab-token", `gl${"pat"}-${filler}`],
  ["slack-token", `xox${"b"}-1234567890-${filler}`],
  ["aws-key", `AK${"IA"}ABCDEFGHIJKLMNOP`],
  ["google-key", `AI${"za"}${filler.slice(0, 35)}`],
  ["stripe-key", `sk_${"live"}_${filler}`],
  ["npm-token", `np${"m"}_${filler}`],
  ["huggingface-token", `h${"f"}_${filler}`],
  ["groq-key", `gs${"k"}_${filler}`],
  ["jwt", `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}zdWIiOiIxMjM0NTY3ODkwIn0.${filler}`],
  ["private-key", `${keyHead}\n${filler}\n${filler}\n${keyFoot}`],
];

const { text } = createRedactor({ env: {} });

describe("known shapes of secrets", () => {
  it.each(secrets)("%s is masked wherever it stands", (kind, secret) => {
    const mark = `[redacted ${kind}]`;
    expect(text(secret)).toBe(mark);
    expect(text(`key=${secret}`)).toContain(mark);
    for (const around of [`"${secret}"`, `x\n${secret}\ny`, `https://h/?k=${secret}&b=1`]) {
      expect(text(around)).not.toContain(secret);
      const json = JSON.stringify({ a: [around] });
      expect(text(json)).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(() => JSON.parse(text(json))).not.toThrow();
    }
  });

  it("leaves ordinary text as it is", () => {
    for (const plain of [
      "task-list-of-things",
      "sk-",
      "eyJ",
      "a://b:c",
      "Bearer of news",
      "AKIA",
      "gh_x",
      keyFoot,
    ])
      expect(text(plain)).toBe(plain);
  });

  it("masks what is between the name and the host of an address, and behind Bearer", () => {
    expect(text("postgres://me:hunter2@db/x")).toBe("postgres://me:[redacted password]@db/x");
    expect(text(`Authorization: Bearer ${filler}`)).toBe("Authorization: Bearer [redacted credentials]");
  });

  it("changes nothing more when it is done again", () => {
    const any = fc.array(fc.oneof(fc.constantFrom(...secrets.map(([, secret]) => secret)), fc.string()));
    fc.assert(
      fc.property(any, (parts) => {
        const once = text(parts.join(" "));
        expect(text(once)).toBe(once);
        for (const [, secret] of secrets) expect(once).not.toContain(secret);
      }),
    );
  });
});

describe("the values of secret variables", () => {
  const value = 'p"ä\\ss/w%rd 1';
  const redactor = createRedactor({
    env: {
      MY_API_KEY: value,
      DB_PASSWORD: "correct-horse",
      HOME: "/home/me-and-you",
      KEY_FILE: "/etc/the/key/file",
    },
  });

  it("are masked as they are, in JSON, in JSON within JSON, and in addresses", () => {
    const json = JSON.stringify({ value });
    for (const spelled of [value, json, JSON.stringify(json), `https://h/?q=${encodeURIComponent(value)}`])
      expect(redactor.text(spelled)).toContain("[redacted MY_API_KEY]");
    expect(redactor.text("say correct-horse!")).toBe("say [redacted DB_PASSWORD]!");
  });

  it("are left alone when the name or the value says that they are none", () => {
    const plain = "/home/me-and-you /etc/the/key/file";
    expect(redactor.text(plain)).toBe(plain);
    for (const common of ["short", "1234567890", "password", "PRODUCTION"])
      expect(createRedactor({ env: { A_TOKEN: common } }).text(`x ${common} y`)).toBe(`x ${common} y`);
  });
});

function createLineMask(): (line: string) => string {
  const gate = createLineGate<undefined>(createRedactor({ env: {} }));
  return (line) =>
    gate
      .push("stdout", line, undefined)
      .map(({ text }) => text)
      .join("\n");
}

describe("a key that goes over many lines", () => {
  it("is masked line by line, up to its end", () => {
    const mask = createLineMask();
    const lines = [
      "before",
      keyHead,
      "Proc-Type: 4,ENCRYPTED",
      "",
      filler,
      `${filler}==`,
      keyFoot,
      "after it",
    ];
    const masked = lines.map(mask);
    expect(masked.join("\n")).not.toContain(filler);
    expect(masked[0]).toBe("before");
    expect(masked.at(-1)).toBe("after it");
  });

  it("does not make a secret of an empty line, nor of what is no key", () => {
    const mask = createLineMask();
    expect(
      [`a message about ${keyHead}`, "", "  ", "and then words, as people write them"].map(mask).slice(1),
    ).toEqual(["", "  ", "and then words, as people write them"]);
  });
});
