import { INPUT } from "./limits.ts";

/** Exists on every platform, but is not part of the language's own library. */
declare const TextDecoder: new (
  label: "utf-8",
  options: { fatal: true },
) => { decode(bytes: Uint8Array): string };

/** Error for a file that cannot be read, with the line. */
export class FileError extends Error {
  readonly line: number;

  constructor(message: string, line = 1) {
    super(message);
    this.name = "FileError";
    this.line = line;
  }
}

/** Throws a FileError for a file that is too large. */
export function checkFileSize(bytes: number): void {
  if (bytes <= INPUT.fileBytes) return;
  throw new FileError(`expected at most ${INPUT.fileBytes} bytes, found ${bytes}`);
}

/**
 * Decodes a file's bytes, without the byte order mark. Throws a FileError if they are not UTF-8.
 */
export function fileText(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new FileError("expected UTF-8, found other bytes", firstLine(bytes, decoder));
  }
}

/** Number of bytes decoded at once to find invalid ones. */
const PIECE = 1 << 16;

/**
 * Returns the first line that cannot be decoded. The byte of a line break is not part of any other
 * character.
 */
function firstLine(bytes: Uint8Array, decoder: { decode(bytes: Uint8Array): string }): number {
  const isText = (start: number, end: number): boolean => {
    try {
      decoder.decode(bytes.subarray(start, end));
      return true;
    } catch {
      return false;
    }
  };
  const lineEnd = (from: number): number => {
    const end = bytes.indexOf(10, from);
    return end < 0 ? bytes.length : end + 1;
  };
  let start = 0;
  for (let end = lineEnd(PIECE); end < bytes.length && isText(start, end); ) {
    start = end;
    end = lineEnd(start + PIECE);
  }
  while (start < bytes.length && isText(start, lineEnd(start))) start = lineEnd(start);
  let line = 1;
  for (let end = bytes.indexOf(10); end >= 0 && end < start; end = bytes.indexOf(10, end + 1))
    line += 1;
  return line;
}
