import { type CharSet, charSet, charSetWithout } from "./char-set.js";
import type { Pattern, PatternStep } from "./pattern.js";

const word = charSet("A-Za-z0-9_-");
const alphanumeric = charSet("A-Za-z0-9");
const underscored = charSet("A-Za-z0-9_");
const dashed = charSet("A-Za-z0-9-");
const dotted = charSet("A-Za-z0-9_.-");
const base64 = charSet("A-Za-z0-9+/=");
const hex = charSet("a-f0-9");
const capitals = charSet("A-Z0-9");
const credential = charSet("A-Za-z0-9._~+/=-");

/** Unambiguous prefixes, the characters that follow them, and their minimum number. */
const prefixed: readonly [kind: string, prefixes: string, set: CharSet, min: number][] = [
  ["anthropic-key", "sk-ant-", word, 16],
  ["openai-key", "sk-proj- sk-svcacct- sk-admin-", word, 20],
  ["openrouter-key", "sk-or-v1-", alphanumeric, 20],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", underscored, 20],
  [
    "gitlab-token",
    "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- gloas- glagent- glimt- glffct-",
    dotted,
    16,
  ],
  [
    "slack-token",
    "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xoxe.xoxb- xoxe.xoxp-",
    dashed,
    10,
  ],
  ["google-key", "AIza", word, 35],
  ["google-token", "ya29.", dotted, 20],
  ["google-secret", "GOCSPX-", word, 20],
  ["google-token", "1//0", word, 30],
  ["stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", alphanumeric, 16],
  ["stripe-secret", "whsec_", base64, 20],
  ["npm-token", "npm_", underscored, 30],
  ["pypi-token", "pypi-", word, 30],
  ["rubygems-token", "rubygems_", hex, 40],
  ["huggingface-token", "hf_", alphanumeric, 30],
  ["groq-key", "gsk_", alphanumeric, 20],
  ["xai-key", "xai-", alphanumeric, 40],
  ["cerebras-key", "csk-", alphanumeric, 30],
  ["nvidia-key", "nvapi-", word, 30],
  ["perplexity-key", "pplx-", alphanumeric, 20],
  ["replicate-token", "r8_", alphanumeric, 30],
  ["tavily-key", "tvly-", word, 16],
  ["langsmith-key", "lsv2_pt_ lsv2_sk_", underscored, 20],
  ["pinecone-key", "pcsk_", underscored, 20],
  ["shopify-token", "shppa_ shpca_ shpat_ shpss_ shpua_", alphanumeric, 24],
  ["linear-key", "lin_api_ lin_oauth_", underscored, 30],
  ["notion-token", "ntn_", alphanumeric, 30],
  ["figma-token", "figd_ figu_ figo_", word, 20],
  ["postman-key", "PMAK-", dashed, 30],
  ["newrelic-key", "NRAK- NRAA- NRII-", dashed, 20],
  ["grafana-token", "glc_ glsa_", base64, 24],
  ["vault-token", "hvs. hvb. hvr.", word, 20],
  ["pulumi-token", "pul-", hex, 30],
  ["planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", dotted, 20],
  ["supabase-key", "sbp_ sb_secret_", underscored, 20],
  ["netlify-token", "nfp_", alphanumeric, 30],
  ["fly-token", "fm1_ fm2_", base64, 40],
  ["heroku-key", "HRKU-", word, 20],
  ["atlassian-token", "ATATT3 ATCTT3 ATBB", charSet("A-Za-z0-9_=-"), 24],
  ["docker-token", "dckr_pat_ dckr_oat_", word, 20],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", hex, 40],
  ["databricks-token", "dapi", hex, 32],
  ["doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", dotted, 30],
  ["sentry-token", "sntrys_ sntryu_", charSet("A-Za-z0-9_+/=-"), 30],
  ["sonar-token", "sqp_ squ_ sqa_", hex, 40],
  ["circleci-token", "CCIPAT_ CCIPRJ_", underscored, 20],
  ["buildkite-token", "bkua_", hex, 30],
  ["square-token", "sq0atp- sq0csp-", word, 20],
  ["mailgun-key", "key-", hex, 32],
  ["twilio-key", "SK", hex, 32],
  ["alibaba-key", "LTAI", alphanumeric, 16],
  ["nuget-key", "oy2", charSet("a-z0-9"), 43],
  ["1password-token", "ops_ey", base64, 60],
  ["e2b-key", "e2b_", hex, 30],
  ["age-key", "AGE-SECRET-KEY-1", capitals, 20],
];

/** Prefixes so short that they could be part of a word. No letter may stand before them. */
const needsStart: ReadonlySet<string> = new Set(
  "key- SK oy2 dapi hf_ r8_ xai- pul- nfp_ sqp_ squ_ sqa_ glc_ ntn_ LTAI".split(" "),
);

/** All other prefixes are recognised even behind letters, as in `keyghp_…`. */
const tokens: Pattern[] = prefixed.flatMap(([kind, prefixes, run, min]) =>
  prefixes.split(" ").map((prefix) => ({
    kind,
    anchors: [prefix],
    isGlued: !needsStart.has(prefix),
    steps: [{ text: prefix }, { run, min }],
    isTelling: (value) => /[0-9]/.test(value.slice(prefix.length)) || value.length >= longAnyway,
  })),
);

/** A text without any digit is a name (`npm_config_registry_of_the_team`), unless it has at least this length. */
const longAnyway = 64;

const quotes = charSet("\\\\\"'`");
const blanks = charSet(" \\t");
const separators = charSet(":=");

/** `": "` and the like, between a name and its value. */
const between: readonly PatternStep[] = [
  { run: quotes, min: 0, max: 8 },
  { run: blanks, min: 0, max: 4 },
  { run: separators, min: 1, max: 2 },
  { run: blanks, min: 0, max: 4 },
  { run: quotes, min: 0, max: 8 },
];

const userCharacters = charSetWithout("\\s/:@\"'\\\\<>(){}$`");
const passwordCharacters = charSetWithout("\\s/@\"'\\\\<>`");
const cookieCharacters = charSetWithout("\\r\\n\"'\\\\`");

const others: Pattern[] = [
  {
    kind: "api-key",
    anchors: ["sk-"],
    notAfter: word,
    steps: [{ text: "sk-" }, { run: word, min: 20 }],
    isTelling: (value) => /[0-9]/.test(value),
  },
  {
    kind: "aws-key",
    anchors: "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA A3T".split(" "),
    steps: [{ run: capitals, min: 20, max: 20 }, { notBefore: alphanumeric }],
  },
  {
    kind: "jwt",
    anchors: ["eyJ"],
    notAfter: word,
    steps: [
      { run: word, min: 11, max: 2000 },
      { text: "." },
      { run: word, min: 2, max: 4000 },
      { text: "." },
      { run: dotted, min: 8 },
    ],
  },
  {
    kind: "sendgrid-key",
    anchors: ["SG."],
    steps: [{ text: "SG." }, { run: word, min: 16, max: 128 }, { text: "." }, { run: word, min: 16 }],
  },
  {
    kind: "slack-webhook",
    anchors: ["hooks.slack.com/"],
    isGlued: true,
    steps: [{ text: "hooks.slack.com/" }, { run: charSet("A-Za-z0-9/_-"), min: 20 }],
    maskedFrom: 1,
  },
  {
    kind: "discord-webhook",
    anchors: ["/api/webhooks/"],
    isGlued: true,
    steps: [{ text: "/api/webhooks/" }, { run: charSet("A-Za-z0-9/_-"), min: 40 }],
    maskedFrom: 1,
  },
  {
    kind: "telegram-token",
    anchors: [":AA"],
    isGlued: true,
    steps: [{ text: ":AA" }, { run: word, min: 32, max: 34 }],
  },
  {
    kind: "notion-token",
    anchors: ["secret_"],
    steps: [{ text: "secret_" }, { run: alphanumeric, min: 40 }],
    isTelling: (value) => /[0-9]/.test(value),
  },
  {
    kind: "airtable-token",
    anchors: ["pat"],
    steps: [{ run: alphanumeric, min: 17, max: 17 }, { text: "." }, { run: hex, min: 60 }],
  },
  {
    kind: "azure-secret",
    anchors: ["7Q~", "8Q~"],
    isGlued: true,
    steps: [{ run: charSet("A-Za-z0-9_.~-"), min: 30 }],
  },
  {
    kind: "bearer-token",
    anchors: ["bearer"],
    ignoresCase: true,
    steps: [{ words: ["bearer"] }, { run: blanks, min: 1, max: 4 }, { run: credential, min: 16 }],
    maskedFrom: 2,
    isTelling: (value) => /[0-9]/.test(value) || value.length >= longAnyway,
  },
  {
    kind: "credentials",
    anchors: ["authorization"],
    ignoresCase: true,
    isGlued: true,
    steps: [
      { words: ["authorization"] },
      ...between,
      {
        words: [
          "basic",
          "bearer",
          "token",
          "digest",
          "apikey",
          "api-key",
          "bot",
          "negotiate",
          "ntlm",
          "glue",
          "splunk",
        ],
      },
      { run: blanks, min: 1, max: 4 },
      { run: charSetWithout("\\s\"'\\\\`<>\\[\\]{}$()*"), min: 8 },
    ],
    maskedFrom: 8,
  },
  {
    kind: "credentials",
    anchors: ["authorization", "x-api-key", "api-key", "x-auth-token", "x-goog-api-key", "private-token"],
    ignoresCase: true,
    isGlued: true,
    steps: [
      { words: ["authorization", "x-api-key", "api-key", "x-auth-token", "x-goog-api-key", "private-token"] },
      ...between,
      { run: credential, min: 16 },
    ],
    maskedFrom: 6,
    isTelling: (value) => /[0-9]/.test(value),
  },
  {
    kind: "cookie",
    anchors: ["cookie"],
    ignoresCase: true,
    steps: [
      { words: ["cookie"] },
      { run: quotes, min: 0, max: 8 },
      { run: blanks, min: 0, max: 2 },
      { text: ":" },
      { run: blanks, min: 0, max: 4 },
      { run: quotes, min: 0, max: 8 },
      { run: charSet("A-Za-z0-9_.!#%&*^~|-"), min: 1, max: 128 },
      { text: "=" },
      { run: cookieCharacters, min: 4 },
    ],
    maskedFrom: 6,
    isGlued: false,
  },
  {
    kind: "password",
    anchors: ["://"],
    isGlued: true,
    steps: [
      { text: "://" },
      { run: userCharacters, min: 0, max: 256 },
      { text: ":" },
      { run: passwordCharacters, min: 1, max: 256 },
      { before: "@" },
    ],
    maskedFrom: 3,
    isTelling: isPasswordOfAddress,
  },
  {
    kind: "credentials",
    anchors: ["://"],
    isGlued: true,
    steps: [{ text: "://" }, { run: userCharacters, min: 20, max: 256 }, { before: ":x-oauth-basic@" }],
    maskedFrom: 1,
  },
  {
    kind: "credentials",
    anchors: ["://"],
    isGlued: true,
    steps: [{ text: "://" }, { run: userCharacters, min: 20, max: 256 }, { before: "@" }],
    maskedFrom: 1,
    isTelling: (value) => /[0-9]/.test(value) && /[A-Za-z]/.test(value),
  },
];

/** False for variables and placeholders in `user:password@`. */
function isPasswordOfAddress(value: string): boolean {
  return !/^(?:\$|%[A-Z_]+%|\{|x-oauth-basic$|\*+$|\[redacted)/.test(value);
}

/** Keys of the services that coding agents use, and other secrets in their output. Special shapes come before general ones. */
export const shapes: readonly Pattern[] = [...tokens, ...others];
