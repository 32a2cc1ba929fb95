import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { emptyHash, signRequest } from "../../src/batch/queue/s3-signature.js";

// The examples of "Authenticating Requests: Using the Authorization Header" in Amazon's reference of S3.
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const place = { region: "us-east-1", now: new Date("2013-05-24T00:00:00Z") };
const host = "https://examplebucket.s3.amazonaws.com";

const examples = [
  {
    name: "a download of a range",
    request: { method: "GET", url: "/test.txt", headers: { range: "bytes=0-9" }, body: "" },
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "an upload",
    request: {
      method: "PUT",
      url: "/test%24file.text",
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: "Welcome to Amazon S3.",
    },
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "a query without a value",
    request: { method: "GET", url: "/?lifecycle=", headers: {}, body: "" },
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "a query with values",
    request: { method: "GET", url: "/?max-keys=2&prefix=J", headers: {}, body: "" },
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

it.each(examples)("signs $name as Amazon's documentation does", ({ request, signature }) => {
  const { method, url, headers, body } = request;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const signed = signRequest({ method, url: new URL(url, host), headers, bodyHash }, credentials, place);
  expect(signed["authorization"]).toContain(`Signature=${signature}`);
  expect(signed["authorization"]).toContain(
    "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,",
  );
});

it("the hash of nothing is that of an empty body", () => {
  expect(emptyHash).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

it("signs the token of temporary credentials", () => {
  const request = { method: "GET", url: new URL("/x", host), headers: {}, bodyHash: emptyHash };
  const signed = signRequest(request, { ...credentials, sessionToken: "token" }, place);
  expect(signed["x-amz-security-token"]).toBe("token");
  expect(signed["authorization"]).toContain("x-amz-date;x-amz-security-token,");
});
