import { registerError } from "../../framework/errors.ts";

/** Errors of codespace `staking` with upstream's codes and texts (rules/staking 1.5). */
const error = (code: number, text: string) => registerError("staking", code, text);

export const errNoValidatorFound = error(3, "validator does not exist");
export const errValidatorOwnerExists = error(
  4,
  "validator already exist for this operator address; must use new validator operator address",
);
export const errValidatorPubKeyExists = error(
  5,
  "validator already exist for this pubkey; must use new validator pubkey",
);
export const errValidatorJailed = error(7, "validator for this address is currently jailed");
export const errBadRemoveValidator = error(8, "failed to remove validator");
export const errCommissionNegative = error(9, "commission must be positive");
export const errCommissionHuge = error(10, "commission cannot be more than 100%");
export const errCommissionGTMaxRate = error(11, "commission cannot be more than the max rate");
export const errCommissionUpdateTime = error(
  12,
  "commission cannot be changed more than once in 24h",
);
export const errCommissionChangeRateNegative = error(13, "commission change rate must be positive");
export const errCommissionChangeRateGTMaxRate = error(
  14,
  "commission change rate cannot be more than the max rate",
);
export const errCommissionGTMaxChangeRate = error(
  15,
  "commission cannot be changed more than max change rate",
);
export const errSelfDelegationBelowMinimum = error(
  16,
  "validator's self delegation must be greater than their minimum self delegation",
);
export const errMinSelfDelegationDecreased = error(
  17,
  "minimum self delegation cannot be decrease",
);
export const errNoDelegation = error(19, "no delegation for (address, validator) tuple");
export const errNoDelegatorForAddress = error(21, "delegator does not contain delegation");
export const errInsufficientShares = error(22, "insufficient delegation shares");
export const errNotEnoughDelegationShares = error(24, "not enough delegation shares");
export const errMaxUnbondingDelegationEntries = error(
  27,
  "too many unbonding delegation entries for (delegator, validator) tuple",
);
export const errSelfRedelegation = error(29, "cannot redelegate to the same validator");
export const errTinyRedelegationAmount = error(
  30,
  "too few tokens to redelegate (truncates to zero tokens)",
);
export const errBadRedelegationDst = error(31, "redelegation destination validator not found");
export const errTransitiveRedelegation = error(
  32,
  "redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation",
);
export const errMaxRedelegationEntries = error(
  33,
  "too many redelegation entries for (delegator, src-validator, dst-validator) tuple",
);
export const errDelegatorShareExRateInvalid = error(
  34,
  "cannot delegate to validators with invalid (zero) ex-rate",
);
export const errEmptyValidatorPubKey = error(39, "empty validator public key");
export const errCommissionLTMinRate = error(40, "commission cannot be less than min rate");
export const errBadRedelegationSrc = error(44, "redelegation source validator not found");

/** Error of another codespace, for an authority-only message from another signer. */
export const errInvalidSigner = registerError(
  "gov",
  13,
  "expected gov account as only signer for proposal message",
);
