/**
 * Has a build carry less of protobuf: descriptors as text of one character per byte, and only the enums that are
 * used. The generated code has descriptors in base64, which writes a name in another way at another place: gzip
 * finds none again, and makes them twice as large.
 */
import type { Plugin } from "vite";

const DESCRIPTOR = /\bfileDesc\("([\w+/]+)"/g;
const ENUM = /^export var (\w+);\n\(function \(\1\) \{\n([\s\S]*?)\}\)\(\1 \|\| \(\1 = \{\}\)\);/gm;

export function leanProtobuf(): Plugin {
  return {
    name: "chainlab:lean-protobuf",
    apply: "build",
    transform: {
      filter: { id: /_pb\.[jt]s$/ },
      handler: (code) => ({ code: lean(code), map: null }),
    },
  };
}

/** Generated code with descriptors as bytes, and enums as values of their own that a bundler may leave out. */
export const lean = (code: string): string =>
  code
    // `btoa` gives the runtime the base64 that it reads.
    .replace(
      DESCRIPTOR,
      (_, base64: string) => `fileDesc(/*@__PURE__*/ btoa(${JSON.stringify(atob(base64))})`,
    )
    .replace(ENUM, "export const $1 = /*@__PURE__*/ (function ($1) {\n$2    return $1;\n})({});");
