import { CaseError, kindOf, type Target } from "./target.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The smallest case found that fails in the same way: parts are taken out as long as it does. The bounds keep
 * a slow case from being shrunk for ever.
 * @param deadline tells whether the time for it is over
 */
export async function shrink(
  target: Pick<Target, "run">,
  found: CaseError,
  deadline: () => boolean,
  tries = 2000,
): Promise<CaseError> {
  const kind = kindOf(found.cause);
  let best = found;
  let left = tries;
  const fails = async (given: Json): Promise<boolean> => {
    left -= 1;
    try {
      await target.run(given);
      return false;
    } catch (error) {
      if (kindOf(error) !== kind) return false;
      best = new CaseError(given, error);
      return true;
    }
  };
  const over = (): boolean => left <= 0 || deadline();
  for (let size = -1; size !== sizeOf(best.given) && !over(); ) {
    size = sizeOf(best.given);
    for (const path of listsIn(best.given as Json)) await thin(path);
    for (const path of placesIn(best.given as Json)) {
      if (over()) break;
      if (at(best.given as Json, path) !== undefined)
        await fails(without(best.given as Json, path));
    }
  }
  return best;

  /** Takes runs of elements out of a list or a text, long ones first. */
  async function thin(path: Path): Promise<void> {
    const length = (): number => sequence(at(best.given as Json, path))?.length ?? 0;
    for (let run = length() >> 1; run >= 1; run >>= 1) {
      for (let from = 0; from < length() && !over(); ) {
        const items = sequence(at(best.given as Json, path)) ?? "";
        const kept =
          typeof items === "string"
            ? items.slice(0, from) + items.slice(from + run)
            : [...items.slice(0, from), ...items.slice(from + run)];
        if (!(await fails(replaced(best.given as Json, path, kept)))) from += run;
      }
    }
  }
}

type Path = readonly (string | number)[];

const sizeOf = (given: unknown): number => JSON.stringify(given).length;

const sequence = (value: Json | undefined): readonly Json[] | string | undefined =>
  Array.isArray(value) || typeof value === "string" ? value : undefined;

/** Lists, and texts long enough to be files, from the outside in. */
function listsIn(value: Json, path: Path = []): Path[] {
  const own = Array.isArray(value) || (typeof value === "string" && value.length > 40);
  return [...(own ? [path] : []), ...children(value, path).flatMap(([v, p]) => listsIn(v, p))];
}

/** Every key and element, from the outside in. */
const placesIn = (value: Json, path: Path = []): Path[] =>
  children(value, path).flatMap(([inner, place]) => [place, ...placesIn(inner, place)]);

const children = (value: Json, path: Path): [Json, Path][] => {
  if (Array.isArray(value)) return value.map((inner, i) => [inner, [...path, i]]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, inner]) => [inner, [...path, key]]);
};

const at = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string | number, Json>)[key]
        : undefined,
    value,
  );

function replaced(value: Json, [key, ...rest]: Path, by: Json | undefined): Json {
  if (key === undefined) return by ?? null;
  if (Array.isArray(value)) {
    return value.flatMap((inner: Json, i) => {
      if (i !== key) return [inner];
      if (rest.length === 0) return by === undefined ? [] : [by];
      return [replaced(inner, rest, by)];
    });
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (name !== key) return [[name, inner]];
    if (rest.length === 0) return by === undefined ? [] : [[name, by]];
    return [[name, replaced(inner, rest, by)]];
  });
  return Object.fromEntries(entries);
}

const without = (value: Json, path: Path): Json => replaced(value, path, undefined);
