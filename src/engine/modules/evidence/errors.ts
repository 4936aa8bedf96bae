import { registerError } from "../../framework/errors.ts";

const CODESPACE = "evidence";

/** Evidence document §7; codes and texts from facts §1.3. */
export const ErrNoEvidenceHandlerExists = registerError(
  CODESPACE,
  2,
  "unregistered handler for evidence type",
);
export const ErrInvalidEvidence = registerError(CODESPACE, 3, "invalid evidence");
export const ErrEvidenceExists = registerError(CODESPACE, 5, "evidence already exists");

/** Staking's own answer to an unknown consensus address, which fails the block (facts §1.9 row 1). */
export const ErrNoValidatorFound = registerError("staking", 3, "validator does not exist");
