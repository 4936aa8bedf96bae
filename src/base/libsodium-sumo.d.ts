/** The used part of libsodium, compiled to WebAssembly; pointers are offsets in its memory. */
declare module "libsodium-sumo" {
  export interface Sodium {
    /** A new array after the memory has grown. */
    readonly HEAPU8: Uint8Array;
    _malloc(size: number): number;
    /** 64-bit lengths are two numbers, the lower half first. */
    _crypto_hash_sha256(out: number, input: number, length: number, lengthHigh: number): number;
    _crypto_sign_seed_keypair(publicKey: number, secretKey: number, seed: number): number;
    _crypto_sign_detached(
      signature: number,
      signatureLength: number,
      message: number,
      length: number,
      lengthHigh: number,
      secretKey: number,
    ): number;
  }
  export default function load(): Promise<Sodium>;
}
