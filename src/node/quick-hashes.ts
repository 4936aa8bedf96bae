/** Has the engine hash as fast as it can from when it resolves; loads it for that. */
export async function quickHashes(): Promise<void> {
  const { accelerateSha256 } = await import("../engine/primitives/sha256.ts");
  await accelerateSha256();
}
