/** The files of a scenario: its own, and the exported genesis that it continues. */

import { errorText } from "../engine/framework/errors.ts";
import { describe } from "../view/json-reader.ts";
import { isMap } from "./fields.ts";
import { IMPORT } from "./genesis-import.ts";
import { formatPath, type Path, type PlacedProblem } from "./problems.ts";
import { readSource, type Source } from "./source.ts";

/**
 * Reads another file named by a scenario, if there are files. Throws an Error if it cannot be read.
 */
export type ReadBeside = (path: string) => { readonly file: string; readonly text: string };

export interface FileSource extends Source {
  readonly file: string;
}

/**
 * A scenario, and the file of the exported genesis that it continues, if that is a separate file.
 */
export interface ScenarioWithGenesis extends FileSource {
  readonly imported?: FileSource;
}

/**
 * Includes the genesis that a file names or is. An exported genesis file alone is a scenario
 * without steps. Reports problems if the named file cannot be read.
 */
export function withImported(
  source: FileSource,
  readBeside: ReadBeside | undefined,
): ScenarioWithGenesis | { readonly problems: readonly PlacedProblem[] } {
  const { value, file } = source;
  if (isGenesisFile(value)) return { ...source, value: scenarioAround(value), imported: source };
  const path = isMap(value) && isMap(value.genesis) ? value.genesis.import : undefined;
  if (!isMap(value) || typeof path !== "string" || !readBeside) return source;
  const refused = (message: string) => ({
    problems: positionsIn(source, [IMPORT]).map((place) => ({ ...place, message })),
  });
  let found: ReturnType<ReadBeside>;
  try {
    found = readBeside(path);
  } catch (error) {
    return refused(`${describe(path)} cannot be read: ${errorText(error)}`);
  }
  const read = readSource(found.text, found.file);
  if ("problems" in read) return read;
  if (!isGenesisFile(read.source.value)) {
    return refused(`expected the path of an exported genesis file, found ${describe(path)}`);
  }
  return {
    file,
    positionsOf: source.positionsOf,
    value: { ...value, genesis: { ...Object(value.genesis), import: read.source.value } },
    imported: { ...read.source, file: found.file },
  };
}

/** The text of a scenario with its genesis file included; any other text unchanged. */
export function selfContained(text: string, file: string, readBeside: ReadBeside): string {
  const read = readSource(text, file);
  if ("problems" in read || isGenesisFile(read.source.value)) return text;
  const whole = withImported({ ...read.source, file }, readBeside);
  return "problems" in whole || whole.imported === undefined ? text : JSON.stringify(whole.value);
}

/** Wraps an exported genesis file in a scenario without steps, which continues its chain. */
const scenarioAround = (exported: unknown) => ({
  scenario: 1,
  name: "imported-genesis",
  title: "A chain continued from an exported genesis file",
  genesis: { import: exported },
  steps: [],
});

/** Positions of paths in the complete file: those of the imported part are in its own file. */
export function positionsIn(
  whole: ScenarioWithGenesis,
  paths: readonly Path[],
): readonly Omit<PlacedProblem, "message">[] {
  const { imported } = whole;
  const located = paths.map((path): { readonly source: FileSource; readonly path: Path } =>
    imported && IMPORT.every((key, i) => path[i] === key)
      ? { source: imported, path: path.slice(IMPORT.length) }
      : { source: whole, path },
  );
  const found = (source: FileSource) =>
    source
      .positionsOf(located.flatMap((one) => (one.source === source ? [one.path] : [])))
      .values();
  const places = new Map([whole, ...(imported ? [imported] : [])].map((one) => [one, found(one)]));
  return located.map(({ source, path }) => ({
    file: source.file,
    path: formatPath(path),
    ...(places.get(source)?.next().value ?? { line: 1 }),
  }));
}

/** Reason why a parsed file is not a genesis; undefined if it is one, or cannot be parsed. */
export function notGenesis(text: string, file: string): string | undefined {
  const read = readSource(text, file);
  if ("problems" in read || isGenesisFile(read.source.value)) return undefined;
  const { value } = read.source;
  const expected = "expected an exported genesis file, with chain_id and app_state";
  if (!isMap(value)) return `${expected}, found ${describe(value)}`;
  if ("scenario" in value) return `${expected}, found a scenario`;
  const missing = ["chain_id", "app_state"].filter((key) => !(key in value));
  return `missing ${missing.map((key) => `"${key}"`).join(" and ")}, ${expected}`;
}

const isGenesisFile = (source: unknown): boolean =>
  isMap(source) && "app_state" in source && !("scenario" in source);
