import { Msg } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { Msg as LegacyMsg } from "../../../gen/chain/gov/v1beta1/tx_pb.ts";
import type { Module } from "../../framework/module.ts";
import { endBlock } from "./end-block.ts";
import { govGenesis } from "./genesis.ts";
import { GovKeeper } from "./keeper.ts";
import { legacyMsgServer } from "./legacy.ts";
import { msgServer } from "./msg-server.ts";
import type { GovNeeds } from "./needs.ts";
import { MODULE_NAME } from "./types.ts";

export interface GovOptions extends GovNeeds {
  readonly consensusVersion?: number;
}

export function createGovModule(options: GovOptions): Module & { readonly keeper: GovKeeper } {
  const { consensusVersion = 5, ...needs } = options;
  const keeper = new GovKeeper(needs);
  return {
    name: MODULE_NAME,
    keeper,
    consensusVersion,
    migrations: [{ from: 5, run: (ctx) => keeper.rewriteAll(ctx) }],
    genesis: govGenesis(keeper),
    registerMessages(router) {
      const server = msgServer(keeper);
      router.registerMsg(MODULE_NAME, Msg, server);
      router.registerMsg(MODULE_NAME, LegacyMsg, legacyMsgServer(keeper, server));
    },
    isDue: (state, { time }) => keeper.isAnyDue(state, time),
    endBlock(ctx) {
      endBlock(ctx, keeper);
      return [];
    },
  };
}
