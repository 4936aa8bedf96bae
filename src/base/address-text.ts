/** An address of any chain: prefix, the digit 1, and the characters of bech32. */
const ADDRESS = /\b[a-z][a-z0-9]*1[02-9ac-hj-np-z]{38,58}\b/g;

/** Replaces addresses by their names, where known, whatever their prefix. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(ADDRESS, (address) => names.get(address) ?? address);
