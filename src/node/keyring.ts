/** The keys of a home, each in a file that is not encrypted, as the field's test keyring keeps them. */
import { readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { addressOf } from "../api/tx/keys.ts";
import type { Keyring, NamedKey } from "../cli/context.ts";
import { makeFolder, readText } from "./files.ts";

const FOLDER = "keyring-test";
const ENDING = ".json";

export function keyringIn(home: string): Keyring {
  const place = join(home, FOLDER);
  const pathOf = (name: string): string => join(place, `${name}${ENDING}`);
  return {
    place,
    list: async () => filesIn(place).map((file) => read(join(place, file))),
    async add({ name, address, publicKey, secret }) {
      makeFolder(place);
      const content = { name, address, public_key: publicKey, private_key: secret };
      // Only its owner reads it, and no key takes another's place.
      writeFileSync(pathOf(name), `${JSON.stringify(content, null, 2)}\n`, {
        mode: 0o600,
        flag: "wx",
        flush: true,
      });
    },
    remove: async (name) => unlinkSync(pathOf(name)),
  };
}

/** Names of files in order; none where there is no folder. */
function filesIn(place: string): readonly string[] {
  try {
    return readdirSync(place)
      .filter((file) => file.endsWith(ENDING))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Throws an Error that names the file if it holds no key. */
function read(path: string): NamedKey {
  const { name, public_key: publicKey, private_key: secret } = fieldsOf(path);
  const sound =
    name === basename(path, ENDING) &&
    typeof publicKey === "string" &&
    typeof secret === "string" &&
    /^[0-9a-f]{64}$/i.test(secret);
  // The same key has another address on a chain whose addresses begin with something else.
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
