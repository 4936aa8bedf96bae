import { Msg } from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import type { Module } from "../../framework/module.ts";
import { migrate5to6 } from "./delegation.ts";
import { stakingGenesis } from "./genesis.ts";
import { StakingKeeper } from "./keeper.ts";
import { STAKING } from "./keys.ts";
import { msgServer } from "./msg-server.ts";
import type { BankKeeper } from "./needs.ts";
import { endBlock, isEndBlockDue } from "./validator-set.ts";

export interface StakingOptions {
  readonly bank: BankKeeper;
  /** Default: 5; 6 also stores shares in the index of a validator's delegations. */
  readonly consensusVersion?: number;
  /** Address text of the account whose messages may change the parameters. */
  readonly authority: string;
}

export interface StakingModule extends Module {
  readonly keeper: StakingKeeper;
}

export function createStakingModule({
  bank,
  consensusVersion = 5,
  authority,
}: StakingOptions): StakingModule {
  const keeper = new StakingKeeper(bank, consensusVersion);
  return {
    name: STAKING,
    consensusVersion,
    migrations: [{ from: 5, run: (ctx) => migrate5to6(keeper, ctx) }],
    keeper,
    genesis: stakingGenesis(keeper),
    registerMessages(router) {
      router.registerMsg(STAKING, Msg, msgServer(keeper, authority));
    },
    isDue: isEndBlockDue,
    endBlock: (ctx) => endBlock(keeper, ctx),
  };
}
