import { registerError } from "../../framework/errors.ts";

const CODESPACE = "evidence";

/** Errors of codespace `evidence` (rules/evidence 4.4). */
export const ErrNoEvidenceHandlerExists = registerError(
  CODESPACE,
  2,
  "unregistered handler for evidence type",
);
export const ErrInvalidEvidence = registerError(CODESPACE, 3, "invalid evidence");
export const ErrEvidenceExists = registerError(CODESPACE, 5, "evidence already exists");

/** Staking's error for an unknown consensus address, which fails the block (rules/evidence 5.3). */
export const ErrNoValidatorFound = registerError("staking", 3, "validator does not exist");
