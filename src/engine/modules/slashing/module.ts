import { Msg } from "../../../gen/chain/slashing/v1beta1/tx_pb.ts";
import type { Module } from "../../framework/module.ts";
import { slashingGenesis } from "./genesis.ts";
import { stakingHooks } from "./hooks.ts";
import { SlashingKeeper } from "./keeper.ts";
import { SLASHING } from "./keys.ts";
import { beginBlock, isAnyVoteToJudge } from "./liveness.ts";
import { msgServer } from "./msg-server.ts";
import type { StakingKeeper } from "./needs.ts";
import { migrate4to5 } from "./signing-info.ts";

export interface SlashingOptions {
  readonly staking: StakingKeeper;
  /** Default: 4; from 5 on signing infos do not repeat the address of their key. */
  readonly consensusVersion?: number;
  /** Address text of the account whose messages may change the parameters. */
  readonly authority: string;
}

export interface SlashingModule extends Module {
  readonly keeper: SlashingKeeper;
  /** Hooks to pass to staking. */
  readonly hooks: ReturnType<typeof stakingHooks>;
}

export function createSlashingModule({
  staking,
  consensusVersion = 4,
  authority,
}: SlashingOptions): SlashingModule {
  const keeper = new SlashingKeeper(staking, consensusVersion);
  return {
    name: SLASHING,
    consensusVersion,
    migrations: [{ from: 4, run: (ctx) => migrate4to5(consensusVersion, ctx) }],
    keeper,
    hooks: stakingHooks(keeper),
    genesis: slashingGenesis(keeper),
    registerMessages(router) {
      router.registerMsg(SLASHING, Msg, msgServer(keeper, authority));
    },
    isDue: isAnyVoteToJudge,
    beginBlock: (ctx) => beginBlock(keeper, ctx),
  };
}
