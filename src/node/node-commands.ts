/** The commands of a node: what runs a chain is loaded by those that do, so that `status` is quick. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NodeCommands } from "../cli/context.ts";
import { layOutCosmovisor } from "./cosmovisor-home.ts";
import { clientSettingIn, usualHome } from "./home.ts";
import { openRemote } from "./remote-chain.ts";
import { statusOf } from "./status.ts";

/** The built command, which lies in a folder of the package. */
const PROGRAM = fileURLToPath(import.meta.url);

const starting = () => import("./start.ts");

export const createNodeCommands = (build: () => Promise<string>): NodeCommands => ({
  usualHome: () => usualHome(process.platform, process.env),
  reach: openRemote,
  init: async (home, beginning) => (await starting()).init(home, await build(), beginning),
  start: async (settings, say) => (await starting()).start(settings, await build(), say),
  clientSetting: async (home, key) => clientSettingIn(home, key),
  status: (home, node) => statusOf(home, node),
  get version() {
    return JSON.parse(readFileSync(join(dirname(PROGRAM), "..", "package.json"), "utf8")).version;
  },
  async cosmovisorHome(home, binaries) {
    await (await starting()).init(home, await build(), {});
    return layOutCosmovisor(home, binaries, PROGRAM);
  },
});
