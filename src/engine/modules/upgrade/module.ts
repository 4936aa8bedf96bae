import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { Msg } from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { genesisOf, type Module } from "../../framework/module.ts";
import { UpgradeKeeper } from "./keeper.ts";
import { msgServer } from "./msg-server.ts";
import { preBlock } from "./pre-block.ts";
import { MODULE_NAME } from "./types.ts";

export interface UpgradeOptions {
  /** Account (as text) that may schedule and cancel: governance. */
  readonly authority: string;
  readonly consensusVersion?: number;
}

export function createUpgradeModule(
  options: UpgradeOptions,
): Module & { readonly keeper: UpgradeKeeper } {
  const { authority, consensusVersion = 2 } = options;
  const keeper = new UpgradeKeeper(authority);
  return {
    name: MODULE_NAME,
    keeper,
    consensusVersion,
    migrations: [{ from: 2, run: (ctx) => keeper.rewriteAll(ctx) }],
    // No genesis state of its own: InitChain stores the versions of all modules.
    genesis: genesisOf<typeof EmptySchema>({
      schema: EmptySchema,
      defaults: () => create(EmptySchema),
      validate: () => {},
      init: () => [],
      export: () => create(EmptySchema),
    }),
    registerMessages(router) {
      router.registerMsg(MODULE_NAME, Msg, msgServer(keeper));
    },
    isDue: (state, _, { firstBlock }) => firstBlock || keeper.isPlanned(state),
    preBlock: (ctx) => preBlock(ctx, keeper),
  };
}
