import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openTerminal } from "../cli/chat/terminal.js";
import { expectNoComplaints, open, serve, useBrowser } from "./support.js";

useBrowser();

const liveClaude = fileURLToPath(new URL("../server/live-claude.mjs", import.meta.url));

describe("a chat in a terminal, and the page", () => {
  it("show the same conversation: answered and prompted by keys on the page, and the other way round", async () => {
    const server = await serve();
    const home = { HOME: server.home, XDG_DATA_HOME: server.home, XDG_CONFIG_HOME: server.home };
    const chat = ["chat", "run make test", "-a", "claude", "--binary", liveClaude, "--permissions", "ask"];
    const terminal = openTerminal(chat, { cwd: server.home, env: home });
    const page = await open(server);

    // From the list to the run and its card, by keys only.
    await page.waitForSelector(".run-line .waits:has-text('waits for you')");
    await page.keyboard.press("j");
    await page.waitForSelector(".run-line.current");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".request-card.ready .command:has-text('make test')");
    await page.keyboard.press("y");
    await page.waitForSelector(".said:has-text('Allowed.')");
    await terminal.sees("Allowed.");

    await page.keyboard.press("i");
    await expect.poll(() => page.locator(".composer textarea:focus").count()).toBe(1);
    await page.keyboard.type("Sent by the page");
    await page.keyboard.press("Enter");
    await terminal.sees(/Sent by the page.*Sent by the page/s);
    await page.waitForSelector(".said:has-text('Sent by the page')");

    terminal.type("Sent by the terminal\r");
    await page.waitForSelector(".said:has-text('Sent by the terminal')");
    await page.waitForSelector(".turn-start:has-text('Sent by the terminal')");
    expectNoComplaints(page);
    terminal.type("\u0004");
    expect(await terminal.ended).toBe(0);
  });
});
