import { registerError } from "../../framework/errors.ts";

const CODESPACE = "upgrade";

/** Errors of codespace `upgrade` (rules/upgrade 2.4). */
export const ErrNoModuleVersionFound = registerError(CODESPACE, 2, "module version not found");
export const ErrInvalidSigner = registerError(
  CODESPACE,
  6,
  "expected authority account as only signer for proposal message",
);
