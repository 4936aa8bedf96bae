/** The keys of a home, each in an unencrypted file, as in the SDK's test keyring. */
import { readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Keyring, NamedKey } from "../cli/context.ts";
import { addressOf } from "../view/tx/keys.ts";
import { at, isFolder, makeFolder, readText } from "./files.ts";
import { keyringOf } from "./home.ts";

const ENDING = ".json";

export function keyringIn(home: string): Keyring {
  const path = keyringOf(home);
  const pathOf = (name: string): string => join(path, `${name}${ENDING}`);
  return {
    location: path,
    list: async () => filesIn(path).map((file) => read(join(path, file))),
    async add({ name, address, publicKey, secret }) {
      const content = { name, address, public_key: publicKey, private_key: secret };
      at(path, () => makeFolder(path));
      // Only its owner can read it, and no existing key is replaced.
      at(pathOf(name), () =>
        writeFileSync(pathOf(name), `${JSON.stringify(content, null, 2)}\n`, {
          mode: 0o600,
          flag: "wx",
          flush: true,
        }),
      );
    },
    remove: async (name) => at(pathOf(name), () => unlinkSync(pathOf(name))),
  };
}

/** Names of files in order; none if there is no folder. */
function filesIn(path: string): readonly string[] {
  if (!isFolder(path)) return [];
  return at(path, () => readdirSync(path))
    .filter((file) => file.endsWith(ENDING))
    .sort();
}

/** Throws an Error with the file's name if it contains no key. */
function read(path: string): NamedKey {
  const { name, public_key: publicKey, private_key: secret } = fieldsOf(path);
  const sound =
    name === basename(path, ENDING) &&
    typeof publicKey === "string" &&
    typeof secret === "string" &&
    /^[0-9a-f]{64}$/i.test(secret);
  // The same key has another address on a chain with another address prefix.
  if (sound) return { name, address: addressOf(publicKey), publicKey, secret };
  throw new Error(`${path}: expected a key with name, public_key and private_key`);
}

function fieldsOf(path: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readText(path)));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
}
