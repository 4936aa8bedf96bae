/** Makes the engine hash, sign and encode as fast as possible in Node, once it resolves. */
export async function hashQuickly(): Promise<void> {
  const [{ setNodeCrypto }, { accelerateRecords }] = await Promise.all([
    import("./node-crypto.ts"),
    import("../engine/framework/codec.ts"),
  ]);
  setNodeCrypto();
  await accelerateRecords();
}

/** Resolves to a module that uses the engine, once the engine is fast. */
export async function withQuickHashes<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, hashQuickly()]);
  return loaded;
}
