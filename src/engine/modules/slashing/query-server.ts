import { consAddress, fromConsAddress } from "../../../base/bech32.ts";
import { Query } from "../../../gen/chain/slashing/v1beta1/query_pb.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, STATUS, StatusError, unknownAddress } from "../../framework/errors.ts";
import { paginateStore } from "../../framework/pagination.ts";
import type { ServiceImpl, ServiceRouter } from "../../framework/router.ts";
import type { SlashingKeeper } from "./keeper.ts";
import { addressOf, PREFIX, prefixKey, SLASHING } from "./keys.ts";
import { signingInfoCodec } from "./signing-info.ts";
import { paramsToMessage, type SigningInfo, signingInfoToMessage } from "./types.ts";
import { votesUpTo } from "./vote-count.ts";

const queryServer = (k: SlashingKeeper): ServiceImpl<typeof Query> => ({
  params: (ctx) => ({ params: paramsToMessage(k.getParams(ctx)) }),

  signingInfo(ctx, { consAddress: text }) {
    const address = consensusAddressAt(ctx, text);
    const info = k.getSigningInfo(ctx, address);
    if (info === undefined) {
      throw new StatusError(STATUS.notFound, `SigningInfo not found for validator ${text}`);
    }
    return { valSigningInfo: shown(ctx, address, info) };
  },

  signingInfos(ctx, { pagination }) {
    const prefix = prefixKey(PREFIX.signingInfo);
    const page = paginateStore(ctx.store(SLASHING), prefix, pagination, (entry) =>
      shown(ctx, addressOf(entry.key), entry.read(signingInfoCodec)),
    );
    return { info: page.items, pagination: page.pagination };
  },
});

export const registerQueries = (router: ServiceRouter, keeper: SlashingKeeper): void =>
  router.registerQuery(SLASHING, Query, queryServer(keeper));

/** The record that upstream would have stored after this block (rules/slashing 4.3). */
const shown = (ctx: Context, address: Uint8Array, info: SigningInfo) => {
  const indexOffset = votesUpTo(ctx, address, info, ctx.height);
  return signingInfoToMessage({ ...info, indexOffset }, consAddress(address));
};

function consensusAddressAt(ctx: Context, text: string): Uint8Array {
  if (text === "") throw new StatusError(STATUS.invalidArgument, "invalid request");
  try {
    return fromConsAddress(text);
  } catch (error) {
    if (ctx.profile.badQueryAddress === "unknown") throw unknownAddress(error);
    throw new StatusError(STATUS.invalidArgument, errorText(error));
  }
}
