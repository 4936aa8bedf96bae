import { useId, useState } from "react";
import { count, grouped } from "../../widgets/format.ts";
import { fromHex, toHex } from "./check-proof.ts";
import css from "./TamperedValue.module.css";

/** One byte of a value, and its replacement. */
export interface Tampering {
  readonly index: number;
  /** Two hex digits. */
  readonly byte: string;
}

/** A value with one byte changed, in hex. */
export const changedByte = (value: string, { index, byte }: Tampering): string =>
  value.slice(0, 2 * index) + byte + value.slice(2 * index + 2);

interface TamperedValueProps {
  value: string;
  tampering: Tampering | undefined;
  onTamper: (tampering: Tampering) => void;
}

/** Number of bytes drawn around the selected one. */
const DRAWN = 256;

/** The bytes of a value; any one of them can be changed. */
export function TamperedValue({ value, tampering, onTamper }: TamperedValueProps) {
  const id = useId();
  // Two digits make a byte; nothing changes until both are typed.
  const [typed, setTyped] = useState<string>();
  const bytes = fromHex(value);
  if (bytes.length === 0) {
    return <p className="soft small">The value is empty: it has no byte to change.</p>;
  }
  const place = tampering?.index ?? numberIndex(bytes);
  const from = Math.max(0, Math.min(place - DRAWN / 2, bytes.length - DRAWN));
  const drawn = bytes.subarray(from, from + DRAWN);
  const tamper = (at: number): void => {
    setTyped(undefined);
    onTamper({ index: at, byte: another(bytes[at] ?? 0) });
  };
  const was = bytes[place] ?? 0;
  const is = tampering && Number.parseInt(tampering.byte, 16);
  return (
    <div className={css.value}>
      <p className="small soft" id={id}>
        The stored value, {count(bytes.length)} bytes
        {drawn.length < bytes.length && `, of which ${count(drawn.length)} are drawn`}. Click a byte
        to corrupt it.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <fieldset className={css.bytes} tabIndex={0} aria-labelledby={id}>
        {Array.from(drawn, (byte, i) => {
          const at = from + i;
          const isChanged = at === tampering?.index;
          return (
            <button
              key={at}
              type="button"
              // One is reachable by keyboard, the others through the position field below.
              tabIndex={-1}
              aria-pressed={isChanged}
              ref={isChanged ? bringIntoView : undefined}
              title={`byte ${at}: ${shownByte(byte)}`}
              onClick={() => tamper(at)}
            >
              {isChanged && is !== undefined ? `${hexOf(byte)}→${hexOf(is)}` : hexOf(byte)}
            </button>
          );
        })}
      </fieldset>
      <div className={css.fields}>
        <label>
          Byte{" "}
          <input
            type="number"
            min={0}
            max={bytes.length - 1}
            value={place}
            onChange={({ target }) => {
              const at = Number(target.value);
              if (Number.isInteger(at) && at >= 0 && at < bytes.length) tamper(at);
            }}
          />
        </label>
        <label>
          becomes{" "}
          <input
            className={css.byte}
            value={typed ?? tampering?.byte ?? hexOf(was)}
            onBlur={() => setTyped(undefined)}
            onChange={({ target }) => {
              const text = target.value.toUpperCase();
              if (!/^[0-9A-F]{0,2}$/.test(text)) return;
              setTyped(text);
              if (text.length === 2) onTamper({ index: place, byte: text });
            }}
          />
        </label>
        {tampering === undefined && (
          <button type="button" onClick={() => tamper(place)}>
            Change a byte
          </button>
        )}
        {is !== undefined && (
          <span className={css.became}>
            {shownWith(bytes, place, was)} became {shownWith(bytes, place, is)}
          </span>
        )}
      </div>
    </div>
  );
}

const hexOf = (byte: number): string => toHex(Uint8Array.of(byte));

/** A byte as text if it is visible, else in hex. */
const shownByte = (byte: number): string =>
  byte > 0x20 && byte < 0x7f ? `“${String.fromCharCode(byte)}”` : hexOf(byte);

/** Another byte of the same kind: a digit is replaced by a digit, so that a number stays one. */
function another(byte: number): string {
  return hexOf(isDigit(byte) ? (byte === 0x39 ? 0x38 : 0x39) : byte ^ 1);
}

const bringIntoView = (button: HTMLElement | null): void =>
  button?.scrollIntoView({ block: "nearest" });

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

/** Minimum digits of a number, as opposed to a part of a name such as ed25519. */
const DIGITS = 6;

/** Returns the index of the first number written in digits; 0 if there is none. */
function numberIndex(bytes: Uint8Array): number {
  const place = bytes.findIndex(
    (_, i) =>
      bytes.subarray(i, i + DIGITS).every((byte) => isDigit(byte)) && i + DIGITS <= bytes.length,
  );
  return Math.max(place, 0);
}

/** A replaced byte, with the digits around it if it is part of a number. */
function shownWith(bytes: Uint8Array, place: number, byte: number): string {
  if (!isDigit(bytes[place]) || !isDigit(byte)) return shownByte(byte);
  let [from, to] = [place, place + 1];
  while (isDigit(bytes[from - 1])) from--;
  while (isDigit(bytes[to])) to++;
  // A text is preceded by its length; the bytes after it may look like digits.
  const length = bytes[from - 1] ?? 0;
  if (from + length > place && from + length < to) to = from + length;
  const digits = Array.from(bytes.subarray(from, to), (digit) => String.fromCharCode(digit));
  digits[place - from] = String.fromCharCode(byte);
  return `“${grouped(digits.join(""))}”`;
}
