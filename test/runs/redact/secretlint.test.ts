import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, it } from "vitest";
import { createRedactor } from "../../../src/runs/redact/redactor.js";

/** Secrets are put together here, so that no file holds what looks like one. */
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The same letters and digits every time, with some of each. */
function random(length: number, alphabet = letters, seed = 7): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return alphabet[Math.floor(state / 65536) % alphabet.length];
  }).join("");
}

const capitals = letters.slice(0, 26) + letters.slice(52);
const key = (name: string): string =>
  [
    `-----BEGIN ${name}PRIVATE`,
    `KEY-----\nMIIE${random(60)}\n${random(64)}\n-----END ${name}PRIVATE`,
    "KEY-----",
  ].join(" ");

/** The account of a service of 1Password: JSON in base64 that ends in `fQ==`. */
function serviceAccount(): string {
  const about = {
    email: "someone@1passwordserviceaccounts.com",
    muk: { k: random(43) },
    secretKey: "",
    srpX: "",
  };
  for (let length = 30; ; length += 1) {
    const base64 = btoa(JSON.stringify({ ...about, secretKey: `A3-${random(length)}` }));
    if (base64.endsWith("fQ==")) return `ops_${base64}`;
  }
}

const corpus: readonly string[] = [
  `AK${"IA"}${random(16, capitals)}`,
  `AS${"IA"}${random(16, capitals)}`,
  `AWS_SECRET_ACCESS_KEY=${random(40)}`,
  `aws_secret_access_key: "${random(40)}"`,
  `"secretAccessKey": "${random(40)}"`,
  `gh${"p"}_${random(36)}`,
  `gh${"s"}_${random(36)}`,
  `github_${"pat"}_${random(82)}`,
  `https://${random(40)}:x-oauth-basic@github.com/owner/repo`,
  `np${"m"}_${random(36)}`,
  `//registry.example.com/:_authToken=${random(36)}`,
  `xox${"b"}-${random(12, "0123456789")}-${random(12, "0123456789")}-${random(24)}`,
  `xox${"p"}-${random(12, "0123456789")}-${random(24)}`,
  `xap${"p"}-1-${random(10)}-${random(12, "0123456789")}-${random(40)}`,
  `https://hooks.slack.com/services/T${random(9)}/B${random(9)}/${random(24)}`,
  `https://someone:${random(14)}@intranet.example.org/`,
  `sk-${"proj"}-${random(74)}T3BlbkFJ${random(74)}`,
  `sk-${random(20)}T3BlbkFJ${random(20)}`,
  `sk-${"ant"}-api03-${random(93)}AA`,
  `lin_${"api"}_${random(40)}`,
  `SG.${random(22)}.${random(43)}`,
  `shp${"at"}_${random(32)}`,
  `shp${"ss"}_${random(32)}`,
  serviceAccount(),
  `mongodb+srv://app:${random(16)}@cluster0.abcde.mongodb.net/main`,
  `mysql://root:${random(16)}@10.0.0.7:3306/main`,
  `postgresql://app:${random(16)}@db.internal/main`,
  key("RSA "),
  key(""),
  key("OPENSSH "),
  JSON.stringify({ type: "service_account", private_key_id: random(40), private_key: key("") }),
];

const { text } = createRedactor({ env: {} });
const config = {
  rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }],
};

async function findings(content: string): Promise<{ ruleId: string; found: string }[]> {
  const source = {
    content,
    filePath: content.startsWith("{") ? "a.json" : "a.txt",
    ext: content.startsWith("{") ? ".json" : ".txt",
    contentType: "text" as const,
  };
  const { messages } = await lintSource({ source, options: { config } });
  return messages.map(({ ruleId, range: [from, to] }) => ({ ruleId, found: content.slice(from, to) }));
}

it("whatever Secretlint finds is masked, in any surroundings", async () => {
  const rules = new Set<string>();
  for (const secret of corpus) {
    for (const { ruleId } of await findings(secret)) rules.add(ruleId);
    for (const content of [secret, `it is ${secret} here\n`, `first\n${secret}\nlast`]) {
      expect(await findings(text(content)), content).toEqual([]);
      expect(text(content), content).not.toBe(content);
    }
  }
  // Otherwise the rules have changed, or the corpus no longer looks like what they look for.
  expect([...rules].sort()).toMatchInlineSnapshot(`
    [
      "@secretlint/secretlint-rule-1password",
      "@secretlint/secretlint-rule-anthropic",
      "@secretlint/secretlint-rule-aws",
      "@secretlint/secretlint-rule-basicauth",
      "@secretlint/secretlint-rule-database-connection-string",
      "@secretlint/secretlint-rule-gcp",
      "@secretlint/secretlint-rule-github",
      "@secretlint/secretlint-rule-linear",
      "@secretlint/secretlint-rule-npm",
      "@secretlint/secretlint-rule-openai",
      "@secretlint/secretlint-rule-privatekey",
      "@secretlint/secretlint-rule-sendgrid",
      "@secretlint/secretlint-rule-shopify",
      "@secretlint/secretlint-rule-slack",
    ]
  `);
}, 60_000);
