/** Converts a query to a command line, from its method and fields. */
import { hasPages } from "./query.ts";
import { camel, kebab, PAGE_FIELDS } from "./query-flags.ts";
import { type Entry, GROUPS, SINGLES } from "./query-table.ts";

export interface QueryCommand {
  /** A short description of its answer. */
  readonly brief: string;
  /**
   * The words after `chainlab`; undefined if the command lacks one of the fields, or a required
   * value.
   * @param fields of the request by their names, those of its page as `pagination.limit`; empty
   * ones count as missing
   */
  arguments(
    fields: Readonly<Record<string, string>>,
    height: string,
  ): readonly string[] | undefined;
}

/**
 * The command for a method, e.g. `chain.bank.v1beta1.Query/AllBalances`; undefined if there is
 * none.
 */
export function queryCommandOf(method: string): QueryCommand | undefined {
  for (const { path, entry } of ENTRIES) {
    const [usual, without] = [entry.method, entry.without].map(nameOf);
    if ([usual, without].includes(SAME[method] ?? method)) {
      return {
        brief: entry.brief,
        arguments: (fields, height) => argumentsOf(path, entry, fields, height),
      };
    }
  }
  return undefined;
}

/**
 * Methods for which another command has a more complete answer: the header instead of only the
 * height.
 */
const SAME: Readonly<Record<string, string>> = {
  "chain.upgrade.v1beta1.Query/AppliedPlan": "lab.v1.Lab/GetAppliedUpgrade",
};

const nameOf = (method: Entry["method"] | undefined): string | undefined =>
  method && `${method.parent.typeName}/${method.name}`;

const ENTRIES: readonly { readonly path: readonly string[]; readonly entry: Entry }[] = [
  ...Object.entries(GROUPS).flatMap(([group, { routes }]) =>
    Object.entries(routes).map(([name, entry]) => ({ path: [group, kebab(name)], entry })),
  ),
  ...Object.entries(SINGLES).map(([name, entry]) => ({ path: [kebab(name)], entry })),
];

function argumentsOf(
  path: readonly string[],
  { method, without, params }: Entry,
  fields: Readonly<Record<string, string>>,
  height: string,
): readonly string[] | undefined {
  const left = new Map(Object.entries(fields).filter(([, value]) => value !== ""));
  const taken = (field: string): string | undefined => {
    const value = left.get(field);
    left.delete(field);
    return value;
  };
  const words = ["query", ...path];
  let open = false;
  for (const name of params.filter((field) => !field.startsWith("--"))) {
    const value = taken(name.replace("?", ""));
    // Values after an omitted argument would take its position.
    if (value === undefined ? !name.endsWith("?") : open) return undefined;
    if (value === undefined) open = true;
    else words.push(value);
  }
  for (const flag of params.filter((field) => field.startsWith("--"))) {
    const value = taken(flag.slice(2));
    if (value !== undefined) words.push(kebab(`--${camel(flag.slice(2))}`), value);
  }
  if ([method, without].some((one) => one !== undefined && hasPages(one))) {
    for (const [flag, field] of Object.entries(PAGE_FIELDS)) {
      const value = taken(`pagination.${field}`);
      if (value === "true") words.push(`--${kebab(flag)}`);
      else if (value !== undefined && value !== "false") words.push(`--${kebab(flag)}`, value);
    }
  }
  if (left.size > 0) return undefined;
  return height === "" ? words : [...words, "--height", height];
}
