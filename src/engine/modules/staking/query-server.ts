import { fromAccAddress, fromValAddress } from "../../../base/bech32.ts";
import { truncateInt } from "../../../base/dec.ts";
import {
  Query,
  type QueryRedelegationsRequest,
} from "../../../gen/chain/staking/v1beta1/query_pb.ts";
import { coinToMessage } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import {
  ChainError,
  errorText,
  plainError,
  STATUS,
  StatusError,
  unknownAddress,
} from "../../framework/errors.ts";
import { paginateStore } from "../../framework/pagination.ts";
import type { ServiceImpl, ServiceRouter } from "../../framework/router.ts";
import type { Entry } from "../../store/kv-store.ts";
import {
  delegationCodec,
  delegationToMessage,
  paramsToMessage,
  redelegationCodec,
  redelegationToMessage,
  statusText,
  unbondingCodec,
  unbondingToMessage,
  validatorCodec,
  validatorToMessage,
} from "./codec.ts";
import { getDelegation, mustGetDelegation } from "./delegation.ts";
import type { StakingKeeper } from "./keeper.ts";
import {
  addressKey,
  PREFIX,
  parseAddressKey,
  parseDelegationByValKey,
  prefixKey,
  STAKING,
} from "./keys.ts";
import { getRedelegation } from "./redelegation.ts";
import { tokensFromShares } from "./shares.ts";
import type { Delegation, Redelegation, UnbondingDelegation } from "./types.ts";
import { getUnbondingDelegation } from "./unbonding.ts";
import { getParams, getValidator, mustGetValidator } from "./validators.ts";

const queryServer = (k: StakingKeeper): ServiceImpl<typeof Query> => ({
  validators(ctx, { status, pagination }) {
    if (status !== "" && !STATUSES.includes(status)) {
      throw new StatusError(STATUS.invalidArgument, `invalid validator status ${status}`);
    }
    const page = paginateStore(
      ctx.store(STAKING),
      prefixKey(PREFIX.validator),
      pagination,
      (entry) => entry.read(validatorCodec),
      (entry) => status === "" || statusText(entry.read(validatorCodec).status) === status,
    );
    return { validators: page.items.map(validatorToMessage), pagination: page.pagination };
  },

  validator(ctx, { validatorAddr }) {
    const validator = getValidator(ctx, validatorAt(ctx, validatorAddr));
    if (validator === undefined) throw notFound(`validator ${validatorAddr} not found`);
    return { validator: validatorToMessage(validator) };
  },

  validatorDelegations(ctx, { validatorAddr, pagination }) {
    const operator = validatorAt(ctx, validatorAddr);
    const prefix = addressKey(PREFIX.delegationByVal, operator);
    const page = paginateStore(ctx.store(STAKING), prefix, pagination, ({ key }) => {
      const { delegator } = parseDelegationByValKey(key);
      return delegationResponse(ctx, mustGetDelegation(ctx, delegator, operator));
    });
    return { delegationResponses: page.items, pagination: page.pagination };
  },

  validatorUnbondingDelegations(ctx, { validatorAddr, pagination }) {
    const operator = validatorAt(ctx, validatorAddr);
    const prefix = addressKey(PREFIX.unbondingByVal, operator);
    const page = paginateStore(ctx.store(STAKING), prefix, pagination, ({ key }) => {
      const [, delegator] = parseAddressKey(key) as [Uint8Array, Uint8Array];
      const ubd = getUnbondingDelegation(ctx, delegator, operator) as UnbondingDelegation;
      return unbondingToMessage(ubd);
    });
    return { unbondingResponses: page.items, pagination: page.pagination };
  },

  delegation(ctx, { delegatorAddr, validatorAddr }) {
    const [delegator, operator] = pairAt(ctx, delegatorAddr, validatorAddr);
    const delegation = getDelegation(ctx, delegator, operator);
    if (delegation === undefined) {
      throw notFound(
        `delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      );
    }
    return { delegationResponse: delegationResponse(ctx, delegation) };
  },

  unbondingDelegation(ctx, { delegatorAddr, validatorAddr }) {
    const [delegator, operator] = pairAt(ctx, delegatorAddr, validatorAddr);
    const ubd = getUnbondingDelegation(ctx, delegator, operator);
    if (ubd === undefined) {
      throw notFound(
        `unbonding delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      );
    }
    return { unbond: unbondingToMessage(ubd) };
  },

  delegatorDelegations(ctx, { delegatorAddr, pagination }) {
    const prefix = addressKey(PREFIX.delegation, delegatorAt(ctx, delegatorAddr));
    const page = paginateStore(ctx.store(STAKING), prefix, pagination, (entry) =>
      delegationResponse(ctx, entry.read(delegationCodec)),
    );
    return { delegationResponses: page.items, pagination: page.pagination };
  },

  delegatorUnbondingDelegations(ctx, { delegatorAddr, pagination }) {
    const prefix = addressKey(PREFIX.unbonding, delegatorAt(ctx, delegatorAddr));
    const page = paginateStore(ctx.store(STAKING), prefix, pagination, (entry) =>
      unbondingToMessage(entry.read(unbondingCodec)),
    );
    return { unbondingResponses: page.items, pagination: page.pagination };
  },

  redelegations: (ctx, request) => lookUp(ctx, () => redelegations(ctx, request)),

  delegatorValidators(ctx, { delegatorAddr, pagination }) {
    const prefix = addressKey(PREFIX.delegation, delegatorAt(ctx, delegatorAddr));
    const page = paginateStore(ctx.store(STAKING), prefix, pagination, (entry) =>
      validatorToMessage(mustGetValidator(ctx, entry.read(delegationCodec).validator)),
    );
    return { validators: page.items, pagination: page.pagination };
  },

  delegatorValidator(ctx, { delegatorAddr, validatorAddr }) {
    const [delegator, operator] = pairAt(ctx, delegatorAddr, validatorAddr);
    return lookUp(ctx, () => {
      const { validator } = mustGetDelegation(ctx, delegator, operator);
      return { validator: validatorToMessage(mustGetValidator(ctx, validator)) };
    });
  },

  /** The stores contain no past headers. */
  historicalInfo(_, { height }) {
    if (height < 0n) throw new StatusError(STATUS.invalidArgument, "height cannot be negative");
    throw new StatusError(STATUS.notFound, `historical info for height ${height} not found`);
  },

  pool: (ctx) => ({
    pool: {
      notBondedTokens: k.notBondedTokens(ctx).toString(),
      bondedTokens: k.totalBondedTokens(ctx).toString(),
    },
  }),

  params: (ctx) => ({ params: paramsToMessage(getParams(ctx)) }),
});

export const registerQueries = (router: ServiceRouter, keeper: StakingKeeper): void =>
  router.registerQuery(STAKING, Query, queryServer(keeper));

const STATUSES = [statusText("bonded"), statusText("unbonded"), statusText("unbonding")];

const notFound = (text: string): StatusError => new StatusError(STATUS.notFound, text);

/** Returns the redelegation of an entry in the index by source. */
function indexed(ctx: Context, { key }: Entry): Redelegation {
  const [source, delegator, destination] = parseAddressKey(key) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  return getRedelegation(ctx, delegator, source, destination) as Redelegation;
}

function delegationResponse(ctx: Context, delegation: Delegation) {
  const validator = mustGetValidator(ctx, delegation.validator);
  const amount = truncateInt(tokensFromShares(validator, delegation.shares));
  return {
    delegation: delegationToMessage(delegation),
    balance: coinToMessage({ denom: getParams(ctx).bondDenom, amount }),
  };
}

function redelegations(
  ctx: Context,
  { delegatorAddr, srcValidatorAddr, dstValidatorAddr, pagination }: QueryRedelegationsRequest,
) {
  if (delegatorAddr !== "" && srcValidatorAddr !== "" && dstValidatorAddr !== "") {
    const delegator = addressIn(fromAccAddress, delegatorAddr);
    const source = addressIn(fromValAddress, srcValidatorAddr);
    const red = getRedelegation(
      ctx,
      delegator,
      source,
      addressIn(fromValAddress, dstValidatorAddr),
    );
    if (red === undefined) {
      throw noRedelegation(
        ctx,
        `redelegation not found for delegator address ${delegatorAddr} from validator address ${srcValidatorAddr}`,
      );
    }
    return { redelegationResponses: [redelegationResponse(ctx, red)] };
  }
  const fromSource = delegatorAddr === "" && srcValidatorAddr !== "" && dstValidatorAddr === "";
  const prefix = fromSource
    ? addressKey(PREFIX.redelegationBySrc, addressIn(fromValAddress, srcValidatorAddr))
    : addressKey(PREFIX.redelegation, addressIn(fromAccAddress, delegatorAddr));
  const page = paginateStore(ctx.store(STAKING), prefix, pagination, (entry) =>
    redelegationResponse(ctx, fromSource ? indexed(ctx, entry) : entry.read(redelegationCodec)),
  );
  return { redelegationResponses: page.items, pagination: page.pagination };
}

/**
 * Returns each entry with the current value of its shares at the destination: 0 if no shares are
 * left there. For a removed destination, upstream returns an error for the whole list; with errors
 * by cause, the other entries are still returned.
 */
function redelegationResponse(ctx: Context, red: Redelegation) {
  const destination =
    getValidator(ctx, red.validatorDst) ??
    (ctx.profile.stakingLookup === "internal"
      ? mustGetValidator(ctx, red.validatorDst)
      : undefined);
  const { entries } = redelegationToMessage(red);
  return {
    redelegation: redelegationToMessage({ ...red, entries: [] }),
    entries: red.entries.map(({ sharesDst }, i) => ({
      redelegationEntry: entries?.[i],
      balance:
        destination === undefined
          ? "0"
          : truncateInt(tokensFromShares(destination, sharesDst)).toString(),
    })),
  };
}

/** Runs a lookup; an error that it throws gets the status of the profile (rules/staking 6.2). */
function lookUp<T>(ctx: Context, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new StatusError(lookupStatus(ctx, error), error.message);
  }
}

function lookupStatus(ctx: Context, { codespace }: ChainError): number {
  if (ctx.profile.stakingLookup === "internal") return STATUS.internal;
  return codespace === STAKING ? STATUS.notFound : STATUS.invalidArgument;
}

/**
 * Returns the error for a redelegation that does not exist; upstream's text contains a status that
 * differs from the returned one.
 */
function noRedelegation(ctx: Context, text: string): StatusError {
  return ctx.profile.stakingLookup === "internal"
    ? new StatusError(STATUS.internal, `rpc error: code = NotFound desc = ${text}`)
    : notFound(text);
}

/** Parses an address; throws a plain error. */
function addressIn(read: (text: string) => Uint8Array, text: string): Uint8Array {
  try {
    return read(text);
  } catch (error) {
    throw plainError(errorText(error));
  }
}

/** Returns a pair's addresses. Checks that neither is empty before parsing. */
function pairAt(ctx: Context, delegator: string, validator: string): [Uint8Array, Uint8Array] {
  requireField("delegator", delegator);
  requireField("validator", validator);
  return [delegatorAt(ctx, delegator), validatorAt(ctx, validator)];
}

const validatorAt = (ctx: Context, text: string): Uint8Array =>
  addressAt(ctx, "validator", fromValAddress, text);
const delegatorAt = (ctx: Context, text: string): Uint8Array =>
  addressAt(ctx, "delegator", fromAccAddress, text);

function addressAt(
  ctx: Context,
  which: string,
  read: (text: string) => Uint8Array,
  text: string,
): Uint8Array {
  requireField(which, text);
  try {
    return read(text);
  } catch (error) {
    if (ctx.profile.badQueryAddress === "unknown") throw unknownAddress(error);
    throw new StatusError(STATUS.invalidArgument, errorText(error));
  }
}

function requireField(which: string, text: string): void {
  if (text === "") {
    throw new StatusError(STATUS.invalidArgument, `${which} address cannot be empty`);
  }
}
