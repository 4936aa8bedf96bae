/**
 * SHA-256 (FIPS 180-4). Nearly all that is hashed is shorter than two blocks: a library, also one in WebAssembly, takes longer
 * to be called than for its work.
 */
export const SHA256 = {
  bytes: (input: Uint8Array): Uint8Array => new Uint8Array(digest(input)),
  text: (input: Uint8Array): string => String.fromCharCode(...digest(input)),
};

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/** The first 32 bits behind the point of a root. */
const fractions = (root: (prime: number) => number): Int32Array =>
  Int32Array.from(PRIMES, (prime) => (root(prime) % 1) * 2 ** 32);

const ROUNDS = fractions(Math.cbrt);
const BEGINNING = fractions(Math.sqrt);

type Words = Int32Array & Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 14 | 15, number>;
const state = new Int32Array(8) as Words;
/** The words of a block, and those that follow from them. */
const words = new Int32Array(64) as Words;
/** The bytes of the last hash: text is made of a plain array in half the time. */
const bytes: number[] = Array(32).fill(0);

/** The bytes of a hash, until the next one. */
function digest(input: Uint8Array): readonly number[] {
  for (let i = 0; i < 8; i++) state[i] = BEGINNING[i] as number;
  const { length } = input;
  const whole = length - (length % 64);
  for (let at = 0; at < whole; at += 64) {
    readWords(input, at, 16);
    compress();
  }
  let count = (length % 64) >> 2;
  readWords(input, whole, count);
  let last = 0;
  let shift = 24;
  for (let at = whole + 4 * count; at < length; at++, shift -= 8)
    last |= (input[at] as number) << shift;
  words[count++] = last | (0x80 << shift);
  if (count > 14) {
    while (count < 16) words[count++] = 0;
    compress();
    count = 0;
  }
  while (count < 14) words[count++] = 0;
  words[14] = length / 2 ** 29;
  words[15] = length << 3;
  compress();
  for (let i = 0; i < 32; i++) bytes[i] = ((state[i >> 2] as number) >> (24 - 8 * (i & 3))) & 0xff;
  return bytes;
}

function readWords(input: Uint8Array, from: number, count: number): void {
  for (let i = 0, at = from; i < count; i++, at += 4) {
    words[i] =
      ((input[at] as number) << 24) |
      ((input[at + 1] as number) << 16) |
      ((input[at + 2] as number) << 8) |
      (input[at + 3] as number);
  }
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** FIPS 180-4, 6.2.2. */
function compress(): void {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    words[i] =
      (words[i - 16] as number) +
      (rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)) +
      (words[i - 7] as number) +
      (rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10));
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const first =
      (h +
        (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (ROUNDS[i] as number) +
        (words[i] as number)) |
      0;
    const second =
      ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
