/**
 * The commands of a node. Modules that run or query a chain are loaded on demand, so that `status`
 * is quick.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NodeCommands } from "../cli/context.ts";
import { layOutCosmovisor } from "./cosmovisor-home.ts";
import {
  clientSettingIn,
  clientSettingsIn,
  outputIn,
  setClientSetting,
  usualHome,
} from "./home.ts";
import { withQuickHashes } from "./quick-hashes.ts";
import { statusOf } from "./status.ts";

/**
 * @param program the built command, in a folder of the package
 * @param build identifies it by its content
 */
export function createNodeCommands(program: URL, build: () => Promise<string>): NodeCommands {
  const file = fileURLToPath(program);
  const beside = (...names: string[]): string => join(dirname(file), "..", ...names);
  const starting = () => withQuickHashes(import("./start.ts"));
  const init: NodeCommands["init"] = async (home, genesis) =>
    (await starting()).init(home, await build(), genesis);
  return {
    init,
    usualHome: () => usualHome(process.platform, process.env),
    reach: async (place) => (await import("./remote-chain.ts")).openRemote(place),
    start: async (settings, print) =>
      (await starting()).start(
        settings,
        { build: await build(), program, page: beside("dist") },
        print,
      ),
    output: async (home) => outputIn(home),
    clientSetting: async (home, key) => clientSettingIn(home, key),
    clientSettings: async (home) => clientSettingsIn(home),
    setClientSetting: async (home, key, value) => setClientSetting(home, key, value),
    status: (home, node) => statusOf(home, node),
    get version() {
      return JSON.parse(readFileSync(beside("package.json"), "utf8")).version;
    },
    async cosmovisorHome(home, binaries) {
      await init(home, {});
      return layOutCosmovisor(home, binaries, file);
    },
  };
}
