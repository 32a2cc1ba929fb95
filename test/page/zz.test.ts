import { it } from "vitest";
import { begin, calls, finish, gatedAgent, returns, runElsewhere, says } from "./gated-agent.js";
import { open, serve, useBrowser } from "./support.js";
import { record } from "../view/support.js";
useBrowser();
it("x", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [
      [begin, says("Let me look."), calls("a", "Bash", { command: "npm test" })],
      [returns("a", "Exit code 3\nno", true), calls("b", "Read", { file_path: "/repo/a.ts", offset: 10, limit: 5 })],
      [returns("b", "text"), says("Done."), finish],
    ]);
    const page = await open(server);
    runElsewhere(server, agent.binary, "live");
    await page.click(".run-line:has-text('live') .run-link");
    await page.waitForSelector(".item.call .sign.running");
    agent.open(1);
    await page.waitForTimeout(2000);
    console.log(await page.locator("main").innerText(), page.complaints, await page.locator(".item").evaluateAll((els) => els.map((e) => e.outerHTML.slice(0, 300))));
}, 40000);
it("y", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "shell");
    const page = await open(server, `#/run/${id}`);
    await page.locator(".item.call .head").first().click();
    const step = (s: unknown) => console.log(Date.now() % 100000, s);
    step(1);
    const seq = await page.locator(".item.open").getAttribute("data-seq");
    const link = page.locator(".item.open .actions a");
    const line = (await link.innerText()).replace(/\D/g, "");
    await link.click();
    await page.waitForSelector(`.raw-line.current[data-line='${line}']`);
    step(2);
    await page.waitForTimeout(500);
    step(await page.locator(".raw-line.current pre").innerText());
    await page.locator(".raw-line.current .raw-about a").click();
    await page.waitForTimeout(500);
    step(page.url()); step(seq);
    step(await page.locator(".item").evaluateAll((els) => els.map((e) => e.className)));
}, 40000);
