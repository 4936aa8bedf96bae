/** Address prefixes as text, and from addresses. */
import { type AddressPrefixes, prefixesOf } from "./address-prefix.ts";

/**
 * Valid address prefixes of a chain: one word, followed by `valoper` and `valcons` in the other
 * kinds of addresses, or one for each kind, such as IRISnet's `iaa,iva,ica`.
 */
export const ADDRESS_PREFIX = /^[a-z][a-z0-9]{0,19}(?:(?:,[a-z][a-z0-9]{0,19}){2})?$/;

/** The shortest text of these prefixes. */
export function prefixText({ account, validator, consensus }: AddressPrefixes): string {
  const usual = prefixesOf(account);
  return validator === usual.validator && consensus === usual.consensus
    ? account
    : [account, validator, consensus].join(",");
}

/** The part of an address before its last `1`; empty without one. */
export const prefixOf = (address = ""): string =>
  address.slice(0, Math.max(0, address.lastIndexOf("1")));

/**
 * A chain's prefix, from an address of each kind. A kind without an address has the usual prefix
 * beside the others; undefined if the result is no prefix.
 */
export function prefixFrom(
  addresses: {
    readonly [K in keyof AddressPrefixes]?: string | undefined;
  },
): string | undefined {
  const validator = prefixOf(addresses.validator);
  const account = prefixOf(addresses.account) || validator.replace(/valoper$/, "");
  const usual = prefixesOf(account);
  const prefix = prefixText({
    account,
    validator: validator || usual.validator,
    consensus: prefixOf(addresses.consensus) || usual.consensus,
  });
  return ADDRESS_PREFIX.test(prefix) ? prefix : undefined;
}
