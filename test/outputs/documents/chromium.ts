import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { asObject, asText } from "../../../src/text/fields.js";
import type { JsonObject } from "../../../src/text/json.js";

/** Where Chromium is, if it is installed. */
export const chromiumPath = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
  .find((path) => existsSync(path));

/** What a browser saw and did while a page was open. */
export interface OpenPage {
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses a key. */
  press(key: string): Promise<void>;
  /** Addresses that were asked for, besides the page's own. */
  readonly requests: string[];
  /** Complaints of the browser: errors, refusals by the page's policy, dialogs. */
  readonly complaints: string[];
  close(): Promise<void>;
}

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-pipe",
];

/** Opens a page in a browser of its own, spoken to through pipes. */
export async function openPage(path: string, url: string): Promise<OpenPage> {
  const profile = mkdtempSync(join(tmpdir(), "harness-chromium-"));
  const browser = spawn(path, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const { send, listen } = connect(browser);
  const requests: string[] = [];
  const complaints: string[] = [];
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const inPage = (method: string, params: object = {}): Promise<Answer> =>
    send(method, params, String(sessionId));
  const loaded = new Promise<void>((resolve) => {
    listen((method, params) => {
      if (method === "Page.loadEventFired") resolve();
      else if (method === "Network.requestWillBeSent") noteRequest(params);
      else if (method === "Page.javascriptDialogOpening" || method === "Runtime.exceptionThrown")
        complaints.push(method);
      else if (method === "Log.entryAdded") complaints.push(JSON.stringify(params["entry"]));
    });
  });
  function noteRequest(params: Answer): void {
    const asked = asText(asObject(params["request"])?.["url"]);
    if (asked !== undefined && asked !== url) requests.push(asked);
  }
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await inPage(`${domain}.enable`);
  await inPage("Page.navigate", { url });
  await loaded;

  return {
    requests,
    complaints,
    async evaluate(expression) {
      const { result } = await inPage("Runtime.evaluate", {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      return asObject(result)?.["value"];
    },
    async press(key) {
      await inPage("Input.dispatchKeyEvent", { type: "keyDown", key, text: key.length === 1 ? key : "" });
      await inPage("Input.dispatchKeyEvent", { type: "keyUp", key });
    },
    async close() {
      const gone = new Promise((resolve) => browser.once("close", resolve));
      void send("Browser.close");
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

type Answer = JsonObject;

interface Connection {
  send(method: string, params?: object, sessionId?: string): Promise<Answer>;
  listen(listener: (method: string, params: Answer) => void): void;
}

/** The DevTools protocol: JSON messages that end with a NUL. */
function connect(browser: ChildProcess): Connection {
  const [, , , input, output] = browser.stdio;
  if (!(input instanceof Writable) || !(output instanceof Readable))
    throw new Error("no pipes to the browser");
  const writable: Writable = input;
  const waiting = new Map<number, (answer: Answer) => void>();
  const listeners: ((method: string, params: Answer) => void)[] = [];
  let next = 1;
  let text = "";
  output.setEncoding("utf8");
  output.on("data", (chunk: string) => {
    text += chunk;
    const messages = text.split("\0");
    text = messages.pop() ?? "";
    for (const message of messages) receive(JSON.parse(message));
  });
  input.on("error", () => undefined);

  function receive(message: { id?: number; result?: Answer; method?: string; params?: Answer }): void {
    if (message.id !== undefined) {
      waiting.get(message.id)?.(message.result ?? {});
      waiting.delete(message.id);
    } else if (message.method !== undefined) {
      for (const listener of listeners) listener(message.method, message.params ?? {});
    }
  }

  return {
    send(method, params = {}, sessionId) {
      const id = next++;
      writable.write(
        `${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`,
      );
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    listen: (listener) => void listeners.push(listener),
  };
}
