import { createReadStream, createWriteStream } from "node:fs";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream/promises";
import { HarnessError } from "../../errors.js";
import { ownerOnly } from "../../runs/files/open-file.js";
import { emptyHash, type S3Credentials, signRequest } from "./s3-signature.js";
import { type Blob, BlobMissing, type Shelf } from "./shelf.js";

/** S3 takes no more in one request. */
const largestPut = 5 * 1024 ** 3;

/** How long a server may say nothing. */
const silenceMs = 60_000;

/** A bucket of Amazon S3, or of any server that speaks its protocol. Files stay until the bucket's own rules remove them, or the batch does. */
export function createS3Shelf(address: string, env: NodeJS.ProcessEnv): Shelf {
  const place = parseAddress(address, env);
  const credentials = credentialsOf(env);
  const send = (method: string, blob: Blob, path?: string) =>
    sendRequest({ method, blob, path, credentials, ...place });
  return {
    address,
    maxBytes: largestPut,
    async put(path, blob) {
      await drained(await send("PUT", blob, path), "PUT");
    },
    async get(blob, path) {
      const response = await send("GET", blob);
      if (response.statusCode === 404) {
        response.resume();
        throw new BlobMissing(`${blob.name} is not in the bucket`);
      }
      if (response.statusCode !== 200) await drained(response, "GET");
      await pipeline(response, createWriteStream(path, { mode: ownerOnly }));
    },
    async renew(blob) {
      const response = await send("HEAD", blob);
      response.resume();
      return response.statusCode === 200;
    },
    async remove(name) {
      await drained(await send("DELETE", { name, hash: emptyHash, bytes: 0 }), "DELETE");
    },
  };
}

interface Place {
  /** Ends with a slash. Names of files follow. */
  base: string;
  region: string;
}

function parseAddress(address: string, env: NodeJS.ProcessEnv): Place {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const bucket = url?.hostname ?? "";
  const region = url?.searchParams.get("region") ?? env["AWS_REGION"] ?? "us-east-1";
  const endpoint = url?.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  if (bucket === "" || !URL.canParse(endpoint) || !/^https?:\/\//.test(endpoint))
    throw new HarnessError(
      "bad_shelf",
      "a shelf on S3 is s3://BUCKET/PREFIX, with ?endpoint=https://HOST&region=NAME for a server other than Amazon's",
    );
  const prefix = (url?.pathname ?? "").replace(/^\/+|\/+$/g, "");
  return { base: `${endpoint.replace(/\/+$/, "")}/${bucket}/${prefix === "" ? "" : `${prefix}/`}`, region };
}

function credentialsOf(env: NodeJS.ProcessEnv): S3Credentials {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, sessionToken: env["AWS_SESSION_TOKEN"] };
  throw new HarnessError(
    "bad_shelf",
    "a shelf on S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, for the batch and for every worker",
  );
}

async function sendRequest(wanted: {
  method: string;
  blob: Blob;
  path: string | undefined;
  credentials: S3Credentials;
  base: string;
  region: string;
}): Promise<IncomingMessage> {
  const { method, blob, path, credentials, region } = wanted;
  const url = new URL(`${wanted.base}${blob.name}`);
  const bodyHash = path === undefined ? emptyHash : blob.hash;
  const length = path === undefined ? {} : { "content-length": String(blob.bytes) };
  const headers = signRequest({ method, url, headers: length, bodyHash }, credentials, {
    region,
    now: new Date(),
  });
  const start = url.protocol === "https:" ? requestHttps : requestHttp;
  const outgoing = start(url, { method, headers, timeout: silenceMs });
  outgoing.on("timeout", () => outgoing.destroy(new Error(`${url.host} does not answer`)));
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  if (path === undefined) outgoing.end();
  else
    pipeline(createReadStream(path), outgoing).catch(() => {
      // The response says why, or `error` does.
    });
  return response;
}

const longestAnswer = 4000;

/** Throws what the server says if it refused. */
async function drained(response: IncomingMessage, method: string): Promise<void> {
  let text = "";
  for await (const chunk of response) if (text.length < longestAnswer) text += String(chunk);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  const code = /<Code>([\w.]+)<\/Code>/.exec(text)?.[1];
  throw new Error(`the S3 server answered ${method} with ${status}${code === undefined ? "" : ` (${code})`}`);
}
