import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBase64, isBase64 } from "../../src/text/base64.js";

it("decodes any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(isBase64(text)).toBe(true);
      expect(decodeBase64(text)).toEqual(bytes);
    }),
  );
});

it.each(["***", "abc", "ab=c", "====", "aa\n=="])("takes %j for damaged, and does not throw", (text) => {
  expect(isBase64(text)).toBe(false);
  expect(decodeBase64(text)).toEqual(new Uint8Array());
});

it("never throws", () => {
  fc.assert(fc.property(fc.string(), (text) => decodeBase64(text) instanceof Uint8Array));
});
