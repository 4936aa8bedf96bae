import { registerError } from "../../framework/errors.ts";

/**
 * Errors of codespace `slashing` with upstream's codes and texts. Codes 2, 3 and 6 also exist
 * upstream, but cannot occur: the real staking keeper throws staking 3 and 19 (rules/slashing 1.3,
 * 6.1).
 */
const error = (code: number, text: string) => registerError("slashing", code, text);

export const errValidatorJailed = error(4, "validator still jailed; cannot be unjailed");
export const errValidatorNotJailed = error(5, "validator not jailed; cannot be unjailed");
export const errSelfDelegationTooLowToUnjail = error(
  7,
  "validator's self delegation less than minimum; cannot be unjailed",
);
export const errNoSigningInfoFound = error(8, "no validator signing info found");
export const errValidatorTombstoned = error(9, "validator already tombstoned");

/** Error of another codespace, for an authority-only message from another signer. */
export const errInvalidSigner = registerError(
  "gov",
  13,
  "expected gov account as only signer for proposal message",
);
