import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { signRequest } from "../../../src/batch/queue/s3-signature.js";

export interface FakeS3 {
  /** The address of a shelf on it. */
  readonly address: string;
  readonly env: Record<string, string>;
  /** By their paths. */
  readonly objects: Map<string, Buffer>;
  /** How many of the next downloads have one byte changed. */
  damaged: number;
  /** The next requests are answered with this status. */
  failing: number[];
  close(): void;
}

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret/key+EXAMPLE" };

/** A server that speaks enough of S3: it checks signatures and the hashes of bodies, as the real one does. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    answer(fake, request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const endpoint = `http://127.0.0.1:${address.port}`;
  const fake: FakeS3 = {
    address: `s3://bucket/some/prefix?endpoint=${encodeURIComponent(endpoint)}&region=eu-1`,
    env: { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    objects,
    damaged: 0,
    failing: [],
    close: () => void server.close(),
  };
  return fake;
}

async function answer(fake: FakeS3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = "", url = "", headers } = request;
  const refuse = (status: number, code: string) =>
    void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
  const failing = fake.failing.shift();
  if (failing !== undefined) return refuse(failing, "SlowDown");
  const bodyHash = createHash("sha256").update(body).digest("hex");
  if (headers["x-amz-content-sha256"] !== bodyHash) return refuse(400, "XAmzContentSHA256Mismatch");
  if (!isSigned(request, bodyHash)) return refuse(403, "SignatureDoesNotMatch");
  const path = url.split("?")[0] ?? "";
  const stored = fake.objects.get(path);
  if (method === "PUT") fake.objects.set(path, body);
  else if (method === "DELETE") fake.objects.delete(path);
  else if (stored === undefined) return refuse(404, "NoSuchKey");
  else if (method === "GET") {
    const isDamaged = fake.damaged > 0 && stored.length > 0;
    if (isDamaged) fake.damaged--;
    const sent = Buffer.from(stored);
    if (isDamaged) sent[sent.length - 1] = (sent.at(-1) ?? 0) ^ 1;
    return void response.end(sent);
  }
  response.end();
}

function isSigned(request: IncomingMessage, bodyHash: string): boolean {
  const { method = "", url = "", headers } = request;
  const date = String(headers["x-amz-date"]);
  const now = new Date(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const signed = signRequest(
    {
      method,
      url: new URL(url, `http://${headers.host}`),
      headers: method === "PUT" ? { "content-length": String(headers["content-length"]) } : {},
      bodyHash,
    },
    credentials,
    { region: "eu-1", now },
  );
  return signed["authorization"] === headers.authorization;
}
