/** Resolves to a part that uses the engine once that hashes as fast as it can. */
export async function withQuickHashes<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, accelerated()]);
  return loaded;
}

async function accelerated(): Promise<void> {
  const { accelerateSha256 } = await import("../engine/primitives/sha256.ts");
  await accelerateSha256();
}
