import { existsSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { connect } from "./client.js";

describe("a run that is removed while it goes on", () => {
  const waits = `[agents.generic]
binary = ${JSON.stringify(process.execPath)}
extra_args = ["-e", "console.log('begun'); setInterval(() => console.log('more'), 50)"]
`;

  it("is refused however often it is asked, and survives if its files are taken away all the same", async () => {
    const client = await connect({}, waits);
    const { json } = await client.post("/runs", { agent: "generic", prompt: "x", runId: "mine" });
    expect(json["id"]).toBe("mine");
    const isMore = ({ data }: { data: object }) => JSON.stringify(data).includes("more");
    await client.follow("/runs/mine/events?format=events", isMore);
    const refused = await Promise.all(
      Array.from({ length: 5 }, () => client.refused("DELETE", "/runs/mine")),
    );
    expect(refused).toEqual(Array.from({ length: 5 }, () => [409, "session_running"]));
    let isFollowed: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      isFollowed = resolve;
    });
    const followed = client.follow("/runs/mine/events", (message) => {
      if (isMore(message)) isFollowed();
      return false;
    });
    await begun;
    const { folder, ndjson, meta } = recordingPaths(client.server.directory, "mine");
    for (const path of [folder, ndjson, meta]) rmSync(path, { recursive: true });
    expect(await client.refused("DELETE", "/runs/mine")).toEqual([404, "unknown_session"]);
    // Whoever follows it is told, instead of waiting for ever.
    expect((await followed).at(-1)).toMatchObject({ event: "refusal", data: { code: "unknown_session" } });
    expect((await client.post("/runs/mine/cancel")).status).toBe(202);
    await expect.poll(async () => (await client.refused("POST", "/runs/mine/cancel"))[0]).not.toBe(202);
    expect(existsSync(folder)).toBe(false);
    expect((await client.get("/status")).status).toBe(200);
  });
});
