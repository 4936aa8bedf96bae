import { create } from "@bufbuild/protobuf";
import { consAddress, fromConsAddress } from "../../../base/bech32.ts";
import {
  type GenesisState,
  GenesisStateSchema,
} from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import type { Context } from "../../framework/context.ts";
import { plainError } from "../../framework/errors.ts";
import { genesisOf, type ModuleGenesis } from "../../framework/module.ts";
import type { SlashingKeeper } from "./keeper.ts";
import { missedBlocks, setMissed } from "./missed-blocks.ts";
import { allSigningInfos } from "./signing-info.ts";
import {
  DEFAULT_PARAMS,
  paramsFromMessage,
  paramsToMessage,
  signingInfoFromMessage,
  signingInfoToMessage,
  validParams,
} from "./types.ts";
import { votesUpTo } from "./vote-count.ts";

/** Genesis as in upstream; runs after staking's (rules/slashing 1.5). */
export const slashingGenesis = (k: SlashingKeeper): ModuleGenesis =>
  genesisOf<typeof GenesisStateSchema>({
    schema: GenesisStateSchema,
    defaults: () => create(GenesisStateSchema, { params: paramsToMessage(DEFAULT_PARAMS) }),
    validate,
    init(ctx, state) {
      validate(state);
      init(k, ctx, state);
      return [];
    },
    export: (ctx) => exportState(k, ctx),
  });

/**
 * Upstream accepts any counter; here it must match the list of missed blocks, since only validators
 * in the list are judged.
 */
function validate(state: GenesisState): void {
  validParams(state.params);
  const missed = new Map(
    state.missedBlocks.map(({ address, missedBlocks: blocks }) => [
      address,
      blocks.filter((block) => block.missed).length,
    ]),
  );
  for (const { address, validatorSigningInfo: info } of state.signingInfos) {
    fromConsAddress(address);
    const counter = info?.missedBlocksCounter ?? 0n;
    const listed = missed.get(address) ?? 0;
    if (counter !== BigInt(listed)) {
      throw plainError(
        `missed blocks counter of ${address} is ${counter}, but ${listed} missed blocks are listed`,
      );
    }
    missed.delete(address);
  }
  for (const address of missed.keys()) {
    throw plainError(`missed blocks of ${address} have no signing info`);
  }
}

function init(k: SlashingKeeper, ctx: Context, state: GenesisState): void {
  k.setParams(ctx, paramsFromMessage(state.params));
  for (const validator of k.staking.allValidators(ctx)) k.addPubkey(ctx, validator);
  for (const { address, validatorSigningInfo: info } of state.signingInfos) {
    if (info !== undefined) {
      k.setSigningInfo(ctx, fromConsAddress(address), signingInfoFromMessage(info));
    }
  }
  for (const { address, missedBlocks: blocks } of state.missedBlocks) {
    for (const { index, missed } of blocks) {
      if (missed) setMissed(ctx, fromConsAddress(address), Number(index), true);
    }
  }
}

const exportState = (k: SlashingKeeper, ctx: Context): GenesisState => {
  const infos = Array.from(allSigningInfos(ctx));
  return create(GenesisStateSchema, {
    params: paramsToMessage(k.getParams(ctx)),
    signingInfos: infos.map(({ address, info }) => {
      const indexOffset = votesUpTo(ctx, address, info, ctx.height);
      const text = consAddress(address);
      return {
        address: text,
        validatorSigningInfo: signingInfoToMessage({ ...info, indexOffset }, text),
      };
    }),
    missedBlocks: infos.map(({ address }) => ({
      address: consAddress(address),
      missedBlocks: Array.from(missedBlocks(ctx, address), (index) => ({
        index: BigInt(index),
        missed: true,
      })),
    })),
  });
};
