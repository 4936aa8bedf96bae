import { Msg } from "../../../gen/chain/bank/v1beta1/tx_pb.ts";
import type { Module } from "../../framework/module.ts";
import { bankGenesis } from "./genesis.ts";
import { BankKeeper } from "./keeper.ts";
import { BANK } from "./keys.ts";
import { msgServer } from "./msg-server.ts";

export interface BankOptions {
  /** Default: 4; 5 also maintains an index of denom owners. */
  readonly consensusVersion?: number;
  /** Module accounts to which messages must not send. */
  readonly blocked?: readonly Uint8Array[];
}

export interface BankModule extends Module {
  readonly keeper: BankKeeper;
}

export function createBankModule({ consensusVersion = 4, blocked = [] }: BankOptions): BankModule {
  const keeper = new BankKeeper(consensusVersion, blocked);
  return {
    name: BANK,
    consensusVersion,
    migrations: [{ from: 4, run: (ctx) => keeper.migrate4to5(ctx) }],
    keeper,
    genesis: bankGenesis(keeper),
    registerMessages(router) {
      router.registerMsg(BANK, Msg, msgServer(keeper));
    },
  };
}
