import type {
  McpServer as Server,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { HarnessError, messageOf } from "../../errors.js";
import { type Call, type Tool, tools, type Workshop } from "./tools.js";

type Sdk = typeof import("@modelcontextprotocol/server") &
  typeof import("@modelcontextprotocol/server/stdio");

export interface ServedTools {
  /** Resolves when the client is gone. */
  closed: Promise<void>;
  close(): Promise<void>;
}

export interface ServeOptions {
  version: string;
  /** A sentence for the log of the client. */
  complain(sentence: string): void;
}

/** Serves the tools on standard input and output. */
export async function serve(workshop: Workshop, { version, complain }: ServeOptions): Promise<ServedTools> {
  const { McpServer, StdioServerTransport, serveStdio } = await loadSdk();
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    process.stdin.once("close", resolve);
    process.stdin.once("end", resolve);
    process.stdout.once("error", () => resolve());
  });

  function createServer(): Server {
    const server = new McpServer({ name: "harness", title: "harness", version }, { instructions });
    for (const tool of tools) addTool(server, tool, workshop);
    return server;
  }

  const handle = serveStdio(createServer, { transport, onerror: ({ message }) => complain(message) });
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  return {
    closed: Promise.race([closed, stopped]),
    async close() {
      stop();
      await handle.close();
    },
  };
}

const instructions =
  "Runs other coding agents on tasks of their own. run_agent starts one and waits a while; run_result waits for its end. Each agent sees only its prompt and its directory.";

function addTool(server: Server, tool: Tool, workshop: Workshop): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: toSchema(tool.input),
      outputSchema: toSchema(tool.output),
      annotations: {
        readOnlyHint: tool.isReadOnly,
        destructiveHint: !tool.isReadOnly,
        openWorldHint: !tool.isReadOnly,
      },
    },
    async (input: unknown, context: ServerContext) => {
      try {
        const result = await tool.call(input, workshop, callOf(context));
        return {
          content: [{ type: "text" as const, text: JSON.stringify(result) }],
          structuredContent: result as Record<string, unknown>,
        };
      } catch (error) {
        return { isError: true, content: [{ type: "text" as const, text: messageOf(error) }] };
      }
    },
  );
}

/** Both sides follow the same standard; their types differ in how they spell an optional field. */
function toSchema(schema: GenericSchema): StandardSchemaWithJSON {
  return toStandardJsonSchema(schema) as StandardSchemaWithJSON;
}

/** A client that gave a token hears how the run goes on, which also keeps it from giving up. */
function callOf({ mcpReq }: ServerContext): Call {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return {
    signal: mcpReq.signal,
    progress(message) {
      if (progressToken === undefined) return;
      progress += 1;
      const params = { progressToken, progress, message };
      // The client may be gone.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}

async function loadSdk(): Promise<Sdk> {
  try {
    const [server, stdio] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    return { ...server, ...stdio };
  } catch (error) {
    throw new HarnessError(
      "missing_package",
      'harness mcp needs the package "@modelcontextprotocol/server", which is not installed with harness; install it beside it with: npm install @modelcontextprotocol/server (add -g if harness is installed globally)',
      { cause: error },
    );
  }
}
