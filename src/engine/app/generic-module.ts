import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { utf8 } from "../../base/bytes.ts";
import type { Context } from "../framework/context.ts";
import { genesisOf, type Migration, type Module } from "../framework/module.ts";

/** Version of the module's state. */
export const VERSION_PREFIX = 0x01;
const VERSION_KEY = Uint8Array.of(VERSION_PREFIX);

/**
 * Creates a module for a name without code in the engine, so that any upgrade can add one: it has
 * its own store, a genesis that writes to it, and a migration per version that rewrites the entry.
 */
export function createGenericModule(name: string, consensusVersion: number): Module {
  const migrations: Migration[] = Array.from(
    { length: Math.max(consensusVersion - 1, 0) },
    (_, i) => ({
      from: i + 1,
      run: (ctx) => writeVersion(ctx, name, i + 2),
    }),
  );
  return {
    name,
    consensusVersion,
    migrations,
    registerMessages: () => {},
    genesis: genesisOf({
      schema: EmptySchema,
      defaults: () => create(EmptySchema),
      validate: () => {},
      init: (ctx) => {
        writeVersion(ctx, name, consensusVersion);
        return [];
      },
      export: () => create(EmptySchema),
    }),
  };
}

function writeVersion(ctx: Context, name: string, version: number): void {
  ctx.store(name).set(VERSION_KEY, utf8(String(version)));
}
