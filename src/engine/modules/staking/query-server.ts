import type { Query } from "../../../gen/chain/staking/v1beta1/query_pb.ts";
import { coinToMessage } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, STATUS, StatusError } from "../../framework/errors.ts";
import { paginate } from "../../framework/pagination.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { fromAccAddress, fromValAddress } from "../../primitives/bech32.ts";
import { truncateInt } from "../../primitives/dec.ts";
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

export const queryServer = (k: StakingKeeper): ServiceImpl<typeof Query> => ({
  validators(ctx, { status, pagination }) {
    if (status !== "" && !STATUSES.includes(status)) {
      throw new StatusError(STATUS.invalidArgument, `invalid validator status ${status}`);
    }
    const page = paginate(
      ctx.store(STAKING),
      prefixKey(PREFIX.validator),
      pagination,
      (entry) => entry.read(validatorCodec),
      (entry) => status === "" || statusText(entry.read(validatorCodec).status) === status,
    );
    return { validators: page.items.map(validatorToMessage), pagination: page.pagination };
  },

  validator(ctx, { validatorAddr }) {
    const validator = getValidator(ctx, validatorAt(validatorAddr));
    if (validator === undefined) throw notFound(`validator ${validatorAddr} not found`);
    return { validator: validatorToMessage(validator) };
  },

  validatorDelegations(ctx, { validatorAddr, pagination }) {
    const operator = validatorAt(validatorAddr);
    const prefix = addressKey(PREFIX.delegationByVal, operator);
    const page = paginate(ctx.store(STAKING), prefix, pagination, ({ key }) => {
      const { delegator } = parseDelegationByValKey(key);
      return delegationResponse(ctx, mustGetDelegation(ctx, delegator, operator));
    });
    return { delegationResponses: page.items, pagination: page.pagination };
  },

  validatorUnbondingDelegations(ctx, { validatorAddr, pagination }) {
    const operator = validatorAt(validatorAddr);
    const prefix = addressKey(PREFIX.unbondingByVal, operator);
    const page = paginate(ctx.store(STAKING), prefix, pagination, ({ key }) => {
      const [, delegator] = parseAddressKey(key) as [Uint8Array, Uint8Array];
      const ubd = getUnbondingDelegation(ctx, delegator, operator) as UnbondingDelegation;
      return unbondingToMessage(ubd);
    });
    return { unbondingResponses: page.items, pagination: page.pagination };
  },

  delegation(ctx, { delegatorAddr, validatorAddr }) {
    const delegator = delegatorAt(delegatorAddr);
    const delegation = getDelegation(ctx, delegator, validatorAt(validatorAddr));
    if (delegation === undefined) {
      throw notFound(
        `delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      );
    }
    return { delegationResponse: delegationResponse(ctx, delegation) };
  },

  unbondingDelegation(ctx, { delegatorAddr, validatorAddr }) {
    const delegator = delegatorAt(delegatorAddr);
    const ubd = getUnbondingDelegation(ctx, delegator, validatorAt(validatorAddr));
    if (ubd === undefined) {
      throw notFound(
        `unbonding delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      );
    }
    return { unbond: unbondingToMessage(ubd) };
  },

  delegatorDelegations(ctx, { delegatorAddr, pagination }) {
    const prefix = addressKey(PREFIX.delegation, delegatorAt(delegatorAddr));
    const page = paginate(ctx.store(STAKING), prefix, pagination, (entry) =>
      delegationResponse(ctx, entry.read(delegationCodec)),
    );
    return { delegationResponses: page.items, pagination: page.pagination };
  },

  delegatorUnbondingDelegations(ctx, { delegatorAddr, pagination }) {
    const prefix = addressKey(PREFIX.unbonding, delegatorAt(delegatorAddr));
    const page = paginate(ctx.store(STAKING), prefix, pagination, (entry) =>
      unbondingToMessage(entry.read(unbondingCodec)),
    );
    return { unbondingResponses: page.items, pagination: page.pagination };
  },

  redelegations(ctx, { delegatorAddr, srcValidatorAddr, dstValidatorAddr, pagination }) {
    if (delegatorAddr !== "" && srcValidatorAddr !== "" && dstValidatorAddr !== "") {
      const source = validatorAt(srcValidatorAddr);
      const delegator = delegatorAt(delegatorAddr);
      const red = getRedelegation(ctx, delegator, source, validatorAt(dstValidatorAddr));
      if (red === undefined) {
        throw notFound(
          `redelegation not found for delegator address ${delegatorAddr} from validator address ${srcValidatorAddr}`,
        );
      }
      return { redelegationResponses: [redelegationResponse(ctx, red)] };
    }
    const fromSource = delegatorAddr === "" && srcValidatorAddr !== "" && dstValidatorAddr === "";
    const prefix = fromSource
      ? addressKey(PREFIX.redelegationBySrc, validatorAt(srcValidatorAddr))
      : addressKey(PREFIX.redelegation, delegatorAt(delegatorAddr));
    const page = paginate(ctx.store(STAKING), prefix, pagination, (entry) =>
      redelegationResponse(ctx, fromSource ? indexed(ctx, entry) : entry.read(redelegationCodec)),
    );
    return { redelegationResponses: page.items, pagination: page.pagination };
  },

  delegatorValidators(ctx, { delegatorAddr, pagination }) {
    const prefix = addressKey(PREFIX.delegation, delegatorAt(delegatorAddr));
    const page = paginate(ctx.store(STAKING), prefix, pagination, (entry) =>
      validatorToMessage(mustGetValidator(ctx, entry.read(delegationCodec).validator)),
    );
    return { validators: page.items, pagination: page.pagination };
  },

  /** A validator that the account does not delegate to is not one of its: staking 19. */
  delegatorValidator(ctx, { delegatorAddr, validatorAddr }) {
    const delegator = delegatorAt(delegatorAddr);
    const { validator } = mustGetDelegation(ctx, delegator, validatorAt(validatorAddr));
    return { validator: validatorToMessage(mustGetValidator(ctx, validator)) };
  },

  pool: (ctx) => ({
    pool: {
      notBondedTokens: k.notBondedTokens(ctx).toString(),
      bondedTokens: k.totalBondedTokens(ctx).toString(),
    },
  }),

  params: (ctx) => ({ params: paramsToMessage(getParams(ctx)) }),
});

const STATUSES = [statusText("bonded"), statusText("unbonded"), statusText("unbonding")];

const notFound = (text: string): StatusError => new StatusError(STATUS.notFound, text);

/** The redelegation behind an entry of the index by source. */
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

/**
 * Each entry with what its shares are worth at the destination today: nothing where all have left it, or where it is
 * gone, which is no reason to withhold the others.
 */
function redelegationResponse(ctx: Context, red: Redelegation) {
  const destination = getValidator(ctx, red.validatorDst);
  const message = redelegationToMessage(red);
  const entries = red.entries.map((entry, i) => ({
    redelegationEntry: message.entries?.[i],
    balance:
      destination === undefined
        ? "0"
        : truncateInt(tokensFromShares(destination, entry.sharesDst)).toString(),
  }));
  return { redelegation: message, entries };
}

const validatorAt = (text: string): Uint8Array => addressAt("validator", fromValAddress, text);
const delegatorAt = (text: string): Uint8Array => addressAt("delegator", fromAccAddress, text);

function addressAt(which: string, read: (text: string) => Uint8Array, text: string): Uint8Array {
  if (text === "") {
    throw new StatusError(STATUS.invalidArgument, `${which} address cannot be empty`);
  }
  try {
    return read(text);
  } catch (error) {
    throw new StatusError(STATUS.invalidArgument, errorText(error));
  }
}
