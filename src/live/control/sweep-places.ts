import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

/** As `mkdtemp` makes them for sessions, and for other things that are left alone. */
const name = /^harness-[A-Za-z0-9]{6}$/;
/** One that is younger may belong to a session that begins to listen just now. */
const youngestMs = 60_000;
/** A temporary directory may be full of them: the next session goes on. */
const mostAtOnce = 200;

/**
 * Removes what killed processes of this user have left: directories with nothing but a socket that nobody listens on. Only the
 * socket is removed, and then the directory if it is empty. Whatever goes wrong leaves things as they are.
 */
export async function sweepControlPlaces(base: string, now = Date.now()): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const each of names.filter((text) => name.test(text)).slice(0, mostAtOnce))
    await sweep(join(base, each), now).catch(() => undefined);
}

async function sweep(directory: string, now: number): Promise<void> {
  const user = process.getuid?.();
  const found = await lstat(directory);
  const isOurs = found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0;
  if (!isOurs || now - found.mtimeMs < youngestMs) return;
  const [only, ...others] = await readdir(directory);
  if (only !== "control" || others.length > 0) return;
  const socket = join(directory, only);
  const stats = await lstat(socket);
  if (stats.uid !== user || !stats.isSocket() || !(await isDeserted(socket))) return;
  await unlink(socket);
  await rmdir(directory);
}

/** Pids may be of another container. A refused connection is certain: nobody has the socket open. */
function isDeserted(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.unref();
    socket.on("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  });
}
