/**
 * Has the worker's lazy parts bring a module of their own where its start needs only little of that: a module is
 * bundled whole if any part of it starts at once.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Functions and enums alone are taken from these, so that two of each are as good as one. */
const COPIED =
  /@noble\/hashes\/utils\.js$|@bufbuild\/protobuf\/dist\/esm\/(extensions|reflect\/(error|names)|wkt\/(any|index|wrappers|gen\/google\/protobuf\/descriptor_pb))\.js$/;
/** Modules that only signed transactions and Connect use: curves, other hashes, protobuf's JSON. */
const LAZY =
  /@noble\/(curves\/.*|hashes\/(legacy|hmac))\.js$|@bufbuild\/protobuf\/dist\/esm\/(from|to)-json\.js$|@connectrpc\/|\?lazy$/;
const COPY = "?lazy";

export function lazyCopies(): Plugin {
  return {
    name: "chainlab:lazy-copies",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer = "") {
      if (!LAZY.test(importer)) return undefined;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && COPIED.test(found.id) ? found.id + COPY : found;
    },
    load: (id) => (id.endsWith(COPY) ? readFileSync(id.slice(0, -COPY.length), "utf8") : undefined),
  };
}
