/** Default address prefix. */
export const USUAL_PREFIX = "chain";

/** Prefixes of addresses, by kind. */
export interface AddressPrefixes {
  readonly account: string;
  /** Of validators' operators. */
  readonly validator: string;
  /** Of validators' consensus keys. */
  readonly consensus: string;
}

/** The prefix of each kind of addresses, from a chain's prefix (`ADDRESS_PREFIX`). */
export function prefixesOf(prefix = USUAL_PREFIX): AddressPrefixes {
  const [account = "", validator = `${account}valoper`, consensus = `${account}valcons`] =
    prefix.split(",");
  return { account, validator, consensus };
}
