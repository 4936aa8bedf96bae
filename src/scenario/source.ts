/** Reads the text of a file, JSON or YAML, and finds the places of its values. */
import { INPUT } from "../input/limits.ts";
import { offsetsInJson, readJson, SyntaxTextError } from "./json-text.ts";
import type { Path, Place, PlacedProblem } from "./problems.ts";
import { TextError } from "./text-error.ts";
import { readYaml, YamlErrors } from "./yaml-text.ts";

export interface Source {
  readonly value: unknown;
  /** The places of values, or of the closest things around them. */
  placesOf(paths: readonly Path[]): readonly Place[];
}

/** Neither YAML nor JSON has these: control characters but tab and line breaks, and non-characters. */
const UNREADABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to refuse
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|\p{Cs}/u;

export function readSource(
  written: string,
  file: string,
): { readonly source: Source } | { readonly problems: readonly PlacedProblem[] } {
  const text = written.startsWith("\ufeff") ? written.slice(1) : written;
  try {
    return { source: sourceOf(text, file) };
  } catch (error) {
    const errors = error instanceof YamlErrors ? error.errors : [error];
    const lines = new Lines(text);
    return {
      problems: errors.map((one) => {
        if (!(one instanceof TextError)) throw one;
        return { file, path: "", ...lines.placeOf(one.offset), message: one.message };
      }),
    };
  }
}

function sourceOf(text: string, file: string): Source {
  checkLength(text, INPUT.fileBytes, "");
  const { 0: found, index: offset } = UNREADABLE.exec(text) ?? {};
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new TextError(offset ?? 0, `expected text, found U+${code} in it`);
  }
  const [, opening, next] = /^\s*([[{])\s*(.)?/s.exec(text) ?? [];
  if (opening === undefined) return yaml(text);
  try {
    return json(text);
  } catch (error) {
    // YAML has lists and maps in brackets too.
    const isYaml =
      error instanceof SyntaxTextError && text.length <= INPUT.yamlCharacters && next !== '"';
    if (!isYaml || file.endsWith(".json")) throw error;
    return yaml(text);
  }
}

function json(text: string): Source {
  return {
    value: readJson(text),
    placesOf(paths) {
      const lines = new Lines(text);
      return offsetsInJson(text, paths).map((offset) => lines.placeOf(offset));
    },
  };
}

function yaml(text: string): Source {
  checkLength(text, INPUT.yamlCharacters, " of YAML");
  const { value, offsetOf } = readYaml(text);
  return {
    value,
    placesOf(paths) {
      const lines = new Lines(text);
      return paths.map((path) => ({ line: lines.placeOf(offsetOf(path)).line }));
    },
  };
}

function checkLength({ length }: string, most: number, what: string): void {
  if (length <= most) return;
  throw new TextError(0, `expected at most ${most} characters${what}, found ${length}`);
}

/** Finds lines and columns, both from 1, in a text. */
class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  placeOf(offset: number): Required<Place> {
    let line = 0;
    for (let step = 2 ** 24; step >= 1; step /= 2) {
      const next = line + step;
      if (next < this.#starts.length && (this.#starts[next] ?? 0) <= offset) line = next;
    }
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}
