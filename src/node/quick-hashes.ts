/** Resolves to a part that uses the engine once that hashes and signs as fast as it can. */
export async function withQuickHashes<T>(part: Promise<T>): Promise<T> {
  const [loaded, { setNodeCrypto }] = await Promise.all([part, import("./node-crypto.ts")]);
  setNodeCrypto();
  return loaded;
}
