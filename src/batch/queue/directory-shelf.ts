import { randomBytes } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { systemCode } from "../../errors.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { ownerOnly } from "../../runs/files/open-file.js";
import { BlobMissing, type Shelf } from "./shelf.js";

/** A directory that every machine has, such as an NFS mount. */
export function createDirectoryShelf(address: string): Shelf {
  const directory = address.startsWith("file://") ? fileURLToPath(address) : address;
  const pathOf = (name: string) => join(directory, name);
  return {
    address,
    maxBytes: Number.MAX_SAFE_INTEGER,
    async put(path, { name }) {
      makeDirectories(directory);
      // Readers see the whole file or none.
      const partial = `${pathOf(name)}.${randomBytes(6).toString("hex")}`;
      await pipeline(createReadStream(path), createWriteStream(partial, { flags: "wx", mode: ownerOnly }));
      await rename(partial, pathOf(name));
    },
    async get({ name }, path) {
      try {
        const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
        await pipeline(
          createReadStream(pathOf(name), { flags: flags as unknown as string }),
          createWriteStream(path, { mode: ownerOnly }),
        );
      } catch (error) {
        if (systemCode(error) !== "ENOENT") throw error;
        throw new BlobMissing(`${pathOf(name)} does not exist`);
      }
    },
    async renew({ name }) {
      const now = new Date();
      return utimes(pathOf(name), now, now).then(
        () => true,
        () => false,
      );
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}
