/** An address of any chain: what it begins with, a one, and the characters of bech32. */
const ADDRESS = /\b[a-z][a-z0-9]*1[02-9ac-hj-np-z]{38,58}\b/g;

/** A text in which addresses that have a name are replaced by it, whatever they begin with. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(ADDRESS, (address) => names.get(address) ?? address);
