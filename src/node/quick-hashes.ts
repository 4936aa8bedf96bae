/** Resolves to a part that uses the engine once that hashes, signs and encodes as fast as it can. */
export async function withQuickHashes<T>(part: Promise<T>): Promise<T> {
  const [loaded, { setNodeCrypto }, { accelerateRecords }] = await Promise.all([
    part,
    import("./node-crypto.ts"),
    import("../engine/framework/codec.ts"),
  ]);
  setNodeCrypto();
  await accelerateRecords();
  return loaded;
}
