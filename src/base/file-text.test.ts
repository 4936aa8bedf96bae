import { expect, test } from "vitest";
import { checkFileSize, fileText } from "./file-text.ts";
import { INPUT } from "./limits.ts";

const bytes = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "number" ? [part] : [...new TextEncoder().encode(part)],
    ),
  );

test("bytes in UTF-8 are read, the mark of their order left out", () => {
  expect(fileText(bytes("a\nü 👍"))).toBe("a\nü 👍");
  expect(fileText(bytes(0xef, 0xbb, 0xbf, "a"))).toBe("a");
});

test.each([
  ["Latin-1", bytes("a\nb\n", 0xfc, "\n"), 3],
  ["half a character at the end", bytes("a", 0xf0, 0x9f), 1],
  ["an overlong NUL", bytes("\n", 0xc0, 0x80), 2],
  ["a surrogate", bytes("\n\n\n", 0xed, 0xa0, 0x80), 4],
])("%s is refused with its line", (_, wrong, line) => {
  expect(() => fileText(wrong)).toThrow(
    expect.objectContaining({ message: "expected UTF-8, found other bytes", line }),
  );
});

test("a file is as large as the limit at most", () => {
  expect(() => checkFileSize(INPUT.fileBytes)).not.toThrow();
  expect(() => checkFileSize(INPUT.fileBytes + 1)).toThrow(
    "at most 16000000 bytes, found 16000001",
  );
});
