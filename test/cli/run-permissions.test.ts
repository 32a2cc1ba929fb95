import { describe, expect, it } from "vitest";
import { permissionRows } from "../../src/cli/run/dry-run.js";
import { permissionsFromFlags } from "../../src/cli/run/permissions-from-flags.js";

const none = { permissions: undefined, allow: undefined, deny: undefined, ask: undefined };
const configured = { allow: ["read"], deny: ["read: .env*"], ask: [] };

describe("what an agent may do in harness run", () => {
  it("is what the configuration says, or nothing is set", () => {
    expect(permissionsFromFlags(none, undefined)).toBeUndefined();
    expect(permissionsFromFlags(none, "read-only")).toBe("read-only");
    expect(permissionsFromFlags(none, configured)).toEqual(configured);
  });

  it("is the mode of --permissions, whatever the configuration says", () => {
    expect(permissionsFromFlags({ ...none, permissions: "read-only" }, configured)).toBe("read-only");
    expect(permissionsFromFlags({ ...none, permissions: "full-access" }, "ask")).toBe("full-access");
  });

  it("is the rules of the flags and of the configuration together", () => {
    const flags = { ...none, allow: ["write: src/**"], deny: ["command: git push *", "read: .env*"] };
    expect(permissionsFromFlags(flags, configured)).toEqual({
      allow: ["read", "write: src/**"],
      deny: ["read: .env*", "command: git push *"],
      ask: [],
    });
  });

  it.each(["full-access", "read-only", "ask", undefined] as const)(
    "is the rules of the flags instead of %j",
    (mode) => {
      expect(permissionsFromFlags({ ...none, allow: ["read"], ask: ["command"] }, mode)).toEqual({
        allow: ["read"],
        deny: [],
        ask: ["command"],
      });
    },
  );

  it.each([
    [{ ...none, deny: ["fetch"] }, undefined],
    [{ ...none, deny: ["fetch"] }, "read-only" as const],
    [{ ...none, ask: ["fetch"] }, "full-access" as const],
    [none, "ask" as const],
    [none, { deny: ["fetch"] }],
  ])("is refused if nothing would be allowed: %j, %j", (flags, config) => {
    expect(() => permissionsFromFlags(flags, config)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        message: expect.stringContaining("the rules allow nothing, and nobody can answer in harness run"),
      }),
    );
  });

  it("is refused if a rule cannot be right", () => {
    expect(() => permissionsFromFlags({ ...none, allow: ["reed"] }, undefined)).toThrow(
      'the rule "reed" (allow) must begin with an operation',
    );
  });

  it("is shown by --dry-run, rule by rule in the order that they count in", () => {
    expect(
      permissionRows({ allow: ["read", "command: npm test"], deny: ["read: .env*"], ask: ["command"] }),
    ).toEqual([
      ["permissions", "rules: what they do not allow is denied, since nobody can answer here"],
      ["  deny", "read: .env*"],
      ["  ask", "command"],
      ["  allow", "read"],
      ["  allow", "command: npm test"],
    ]);
    expect(permissionRows(undefined)).toEqual([
      ["permissions", "full-access: it may change files and run commands without asking"],
    ]);
  });
});
