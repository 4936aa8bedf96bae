/** Has the engine hash, sign and encode as fast as it can in Node, from when it resolves. */
export async function hashQuickly(): Promise<void> {
  const [{ setNodeCrypto }, { accelerateRecords }] = await Promise.all([
    import("./node-crypto.ts"),
    import("../engine/framework/codec.ts"),
  ]);
  setNodeCrypto();
  await accelerateRecords();
}

/** Resolves to a part that uses the engine once that is as fast as it can be. */
export async function withQuickHashes<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, hashQuickly()]);
  return loaded;
}
