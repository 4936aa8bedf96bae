/** Finds contradictions between valid parts of a search report. */
import { describe } from "../../view/json-reader.ts";
import type { Problem } from "../problems.ts";
import { casesOfPart, isOfPart, MOST_OF_PIECE, pieceOf } from "./parts.ts";
import { type FamilyReport, propertyKey, type SearchReport } from "./report.ts";

/** Finds contradictions in a report, with the expected values. */
export function contradictions(report: SearchReport): readonly Problem[] {
  return report.families.flatMap((family, i) =>
    ofFamily(family, report).map(({ path, message }) => ({
      path: ["families", i, ...path],
      message,
    })),
  );
}

function ofFamily(family: FamilyReport, report: SearchReport): readonly Problem[] {
  const { cases, unfinished, unsound, violated, findings, reached, unreached, outcomes } = family;
  const { seed, runs = Number.POSITIVE_INFINITY, all, shard, guided = false, plateau } = report;
  const problems: Problem[] = [];
  const expect = (holds: boolean, path: Problem["path"], what: string, found: unknown): void => {
    if (!holds) problems.push({ path, message: `expected ${what}, found ${describe(found)}` });
  };
  // A file without variations is one case; each of few cases is run once.
  const end = Math.min(runs, family.different ?? runs);
  const { piece = MOST_OF_PIECE } = family;
  if (shard === undefined)
    expect(family.piece === undefined, ["piece"], "none of a whole search", piece);
  else if (piece !== pieceOf(end, shard)) {
    // Other partitions contain other cases: merged, some would be missing and some counted twice.
    const what = `${pieceOf(end, shard)}, the cases of a piece of this search; run this part again`;
    expect(false, ["piece"], what, piece);
    return problems;
  }
  const share = casesOfPart(end, shard, end);
  const isWhole =
    cases === share ||
    cases === casesOfPart(Math.min(1, runs), shard, end) ||
    plateau !== undefined;
  if (cases > share || (all && share < Number.POSITIVE_INFINITY && !isWhole)) {
    expect(
      false,
      ["cases"],
      `the ${share} cases of ${runs}${shard ? " that this part has" : ""}`,
      cases,
    );
  }
  // The cases of a part are consecutive, unless parts were merged or a time limit ended some of
  // them.
  const isInRow = shard !== undefined && runs < Number.POSITIVE_INFINITY;
  const isOfCases = (number: number): boolean =>
    isOfPart(number, shard, end) &&
    (isInRow ? casesOfPart(number + 1, shard, end) <= cases : number < runs);
  expect(!guided || shard === undefined, ["guided"], "a search that has no parts", guided);
  const place = `the number of one of the ${cases} cases`;
  const others = unfinished + unsound;
  let times = others;
  const firsts = new Map<string, number>();
  for (const [i, one] of violated.entries()) {
    // Without --all a case ends with its first violation.
    times = all ? Math.max(times, others + one.cases) : times + one.cases;
    const key = propertyKey(one);
    expect(!firsts.has(key), ["violated", i, "property"], "each property once", one.property);
    firsts.set(key, one.first);
    expect(one.cases > 0, ["violated", i, "cases"], "a number from 1 on", one.cases);
    expect(isOfCases(one.first), ["violated", i, "first"], place, one.first);
  }
  expect(times <= cases, ["cases"], `at least the ${times} that are told of`, cases);
  for (const [i, { seed: of, number, violation }] of findings.entries()) {
    const first = firsts.get(propertyKey(violation));
    const path = ["findings", i];
    expect(of === seed, [...path, "seed"], `${seed}, the seed of the search`, of);
    const { property } = violation;
    expect(
      first !== undefined,
      [...path, "violation", "property"],
      "one of those violated",
      property,
    );
    if (first !== undefined)
      expect(number === first, [...path, "number"], `${first}, its first case`, number);
  }
  const most = all ? violated.length : Math.min(1, violated.length);
  expect(
    findings.length === most,
    ["findings"],
    `as many as were violated, ${most}`,
    findings.length,
  );
  for (const [i, one] of unreached.entries()) {
    expect(!reached.includes(one), ["unreached", i], "a property that is not reached too", one);
  }
  problems.push(...ofOtherProperties(family));
  const { firstUnfinished } = family;
  const path = ["firstUnfinished"];
  expect(
    (firstUnfinished !== undefined) === unfinished > 0,
    path,
    `the first of ${unfinished} cases`,
    firstUnfinished,
  );
  if (firstUnfinished) {
    const { number } = firstUnfinished;
    expect(isOfCases(number), [...path, "number"], place, number);
  }
  const learned = family.coverage;
  expect(learned === undefined || guided, ["coverage"], "none, as it is not guided", learned);
  for (const [i, numbers] of (learned?.corpus ?? []).entries()) {
    const last = numbers.at(-1) ?? 0;
    expect(last < cases, ["coverage", "corpus", i], place, last);
  }
  for (const [feature, first] of Object.entries(learned?.features ?? {})) {
    expect(first < cases, ["coverage", "features", feature], place, first);
  }
  for (const [outcome, reachedIn] of Object.entries(outcomes)) {
    expect(reachedIn <= cases, ["outcomes", outcome], `at most the ${cases} cases`, reachedIn);
  }
  return problems;
}

/** Finds properties in the lists `unreached` and `unasked` that the file does not define. */
function ofOtherProperties({ properties, unreached, unasked }: FamilyReport): readonly Problem[] {
  const stated = properties.map(({ property }) => property);
  const sought = properties.flatMap(({ kind, property }) => (kind === "sometimes" ? property : []));
  return [
    ...others("unreached", unreached, sought, "properties under sometimes"),
    ...others("unasked", unasked, stated, "properties"),
  ];
}

function others(
  key: "unreached" | "unasked",
  names: readonly string[],
  known: readonly string[],
  what: string,
): readonly Problem[] {
  const list = known.map(describe).join(", ");
  const expected =
    list === "" ? `nothing, as the file has no ${what}` : `one of its ${what}, ${list}`;
  return names.flatMap((name, i) =>
    known.includes(name)
      ? []
      : { path: [key, i], message: `expected ${expected}, found ${describe(name)}` },
  );
}
