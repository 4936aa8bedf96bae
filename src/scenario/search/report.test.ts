import { expect, inject, test } from "vitest";
import { runCampaign } from "./campaign.ts";
import { DOUBLE_SIGN, STOPPED } from "./families.testing.ts";
import { localWorkers } from "./local-workers.ts";
import { casesOfPart, isOfPart } from "./parts.ts";
import { readReport } from "./read-report.ts";
import { hasFound, mergeReports, type NamedReport, type SearchReport } from "./report.ts";

const FILES = [STOPPED];
/** With two parts each has two pieces; in a soak, with three parts too. */
const RUNS = inject("soak") ? 450 : 204;
const HALF = RUNS / 2;
const HOW = { seed: 3, runs: RUNS, all: true };

type How = Partial<Parameters<typeof runCampaign>[2]>;

const ran = new Map<string, Promise<SearchReport>>();

/** The report of a search; tests that need the same one share it. */
function searched(how: How = {}): Promise<SearchReport> {
  const key = JSON.stringify({ ...HOW, ...how });
  const report = ran.get(key) ?? runCampaign(localWorkers, FILES, { ...HOW, ...how });
  ran.set(key, report);
  return report;
}

const parts = async (count: number, how: How = {}): Promise<NamedReport[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      file: `part-${i + 1}.json`,
      report: await searched({ ...how, shard: { index: i + 1, count } }),
    })),
  );

function merged(reports: readonly NamedReport[]): SearchReport {
  const result = mergeReports(reports);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.report;
}

const refusal = (reports: readonly NamedReport[]): readonly string[] => {
  const result = mergeReports(reports);
  if (!("problems" in result)) throw new Error("they were put together");
  return result.problems.map(({ file, message }) => `${file}: ${message}`);
};

test("the parts of a search give together what one search gives", async () => {
  const whole = await searched();
  const three = await parts(3);
  expect(three.map(({ report }) => report.families[0]?.cases)).toEqual([
    RUNS / 3,
    RUNS / 3,
    RUNS / 3,
  ]);
  expect(merged(three)).toEqual(whole);
  expect(merged(three.toReversed())).toEqual(whole);
});

test("few cases are split too: no part is without any, and together they are one search", async () => {
  for (const runs of [50, 7]) {
    const four = await parts(4, { runs });
    const cases = four.map(({ report }) => report.families[0]?.cases ?? 0);
    expect(cases).toEqual(runs === 50 ? [14, 12, 12, 12] : [2, 2, 2, 1]);
    const read = four.map(({ file, report }) => readReport(JSON.stringify(report), file));
    expect(read).toEqual(four.map(({ report }) => ({ report })));
    expect(JSON.stringify(merged(four))).toBe(JSON.stringify(await searched({ runs })));
  }
});

test("a part that was split in another way is refused, as it has other cases", async () => {
  const [one] = await parts(2, { runs: 250 });
  const [family] = one?.report.families ?? [];
  if (!one || !family) throw new Error("no part");
  const { piece, ...before } = family;
  expect(piece).toBe(62);
  expect(readReport(JSON.stringify({ ...one.report, families: [before] }), "a.json")).toEqual({
    problems: [
      expect.objectContaining({
        path: "families[0].piece",
        message: "expected 62, the cases of a piece of this search; run this part again, found 100",
      }),
    ],
  });
});

test("parts that end with a violation lead to the finding of one search", async () => {
  const whole = await searched({ all: false });
  expect(whole.families[0]?.findings).toHaveLength(1);
  expect(merged(await parts(2, { all: false })).families[0]?.findings).toEqual(
    whole.families[0]?.findings,
  );
});

test("what must be true sometimes is missed by a search, not by one of its parts", async () => {
  const [one, other] = await parts(2, { all: true });
  const bare = ({ report }: NamedReport): SearchReport => ({
    ...report,
    families: report.families.map((family) => ({ ...family, findings: [], violated: [] })),
  });
  if (!one || !other) throw new Error("no parts");
  expect(bare(one).families[0]?.unreached).toEqual(["two chains"]);
  expect(hasFound(bare(one))).toBe(false);
  const { report } = mergeReports([
    { file: "a", report: bare(one) },
    { file: "b", report: bare(other) },
  ]) as { report: SearchReport };
  expect(hasFound(report)).toBe(true);
});

test("a part that was run again counts once, and one with other results is refused", async () => {
  const [one, other] = await parts(2);
  if (!one || !other) throw new Error("no parts");
  expect(merged([one, other, { ...one, file: "again.json" }])).toEqual(await searched());
  const families = one.report.families.map((family) => ({ ...family, cases: 7 }));
  const odd = { file: "odd.json", report: { ...one.report, families } };
  expect(refusal([one, other, odd])).toEqual([
    "odd.json: it holds part 1 of 2 as part-1.json does, with other results",
  ]);
});

test("missing parts and parts of other searches are named", async () => {
  const [one, , three] = await parts(3);
  if (!one || !three) throw new Error("no parts");
  expect(refusal([one])).toEqual([
    "part-1.json: the search has 3 parts, and of these no report is there: 2/3, 3/3",
  ]);
  const { report } = three;
  const other = (more: Partial<SearchReport>) =>
    refusal([one, { file: "x.json", report: { ...report, ...more } }])[0];
  expect(other({ seed: 9 })).toBe(
    "x.json: it is of another search than part-1.json: seed 9 instead of 3",
  );
  expect(other({ runs: 5 })).toContain(`5 runs instead of ${RUNS}`);
  expect(other({ all: false })).toContain("without --all");
  expect(other({ shard: { index: 1, count: 5 } })).toContain("5 parts instead of 3");
  const families = report.families.map((family) => ({ ...family, digest: "0".repeat(64) }));
  expect(other({ families })).toContain("family.yaml has another content");
  const others = families.map((family) => ({ ...family, file: "other.yaml" }));
  expect(other({ families: others })).toContain("other.yaml instead of family.yaml");
});

test("parts that ended at a finding are put together with those that went on, up to that family", async () => {
  const files = [STOPPED, DOUBLE_SIGN];
  const reports: NamedReport[] = [];
  for (const index of [1, 2, 3]) {
    const shard = { index, count: 3 };
    const report = await runCampaign(localWorkers, files, {
      seed: 3,
      runs: 300,
      all: false,
      shard,
    });
    reports.push({ file: `part-${index}.json`, report });
  }
  const [one, ...others] = reports;
  if (!one) throw new Error("no parts");
  // One of them found nothing in the first family, and continued to the second.
  const went = one.report.families[0];
  if (!went) throw new Error("no family");
  const quiet = { ...went, cases: 100, violated: [], findings: [], unreached: ["two chains"] };
  const second = others[0]?.report.families[0];
  if (!second) throw new Error("no family");
  const longer = {
    ...one,
    report: {
      ...one.report,
      families: [quiet, { ...quiet, digest: "0".repeat(64), file: "b.yaml" }],
    },
  };
  const { report } = mergeReports([longer, ...others]) as { report: SearchReport };
  expect(report.families).toHaveLength(1);
  expect(report.families[0]?.findings).toHaveLength(1);
  expect(report.families[0]?.unreached).toEqual([]);
  expect(hasFound(report)).toBe(true);
  // Without findings, a report with fewer families belongs to another search.
  const short = { ...one, report: { ...one.report, families: [quiet] } };
  expect(refusal([longer, { ...short, file: "x.json" }])[0]).toContain("1 files instead of 2");
});

test("a report that contradicts itself is refused, each time at its place", async () => {
  const [part] = await parts(2);
  if (!part) throw new Error("no part");
  const { report } = part;
  const [family] = report.families;
  const [finding, ...others] = family?.findings ?? [];
  if (!family || !finding) throw new Error("nothing was found");
  const problems = (more: Partial<SearchReport>): readonly string[] => {
    const read = readReport(JSON.stringify({ ...report, ...more }), "a.json");
    if (!("problems" in read)) throw new Error("it was read");
    return read.problems.map(({ path, message }) => `${path}: ${message}`);
  };
  const forged = (more: object) => problems({ families: [{ ...family, ...more }] });
  const found = (more: object) => forged({ findings: [{ ...finding, ...more }, ...others] });
  const { violation } = finding;
  expect(readReport(JSON.stringify(report), "a.json")).toEqual({ report });
  expect(problems({ shard: { index: 1, count: Number.MAX_SAFE_INTEGER } })).toEqual([
    "shard.count: expected at most 999999 parts, found 9007199254740991",
  ]);
  expect(forged({ cases: 3, violated: [], findings: [], unsound: 0, outcomes: {} })).toEqual([
    `families[0].cases: expected the ${HALF} cases of ${RUNS} that this part has, found 3`,
  ]);
  expect(forged({ violated: [] }).at(-1)).toBe(
    "families[0].findings: expected as many as were violated, 0, found 2",
  );
  expect(forged({ violated: [] })[0]).toBe(
    `families[0].findings[0].violation.property: expected one of those violated, found "${violation.property}"`,
  );
  expect(forged({ findings: [] })).toEqual([
    "families[0].findings: expected as many as were violated, 2, found 0",
  ]);
  expect(found({ number: 99_999_999 })).toEqual([
    `families[0].findings[0].number: expected ${finding.number}, its first case, found 99999999`,
  ]);
  const elsewhere = Array.from({ length: RUNS }, (_, number) => number).find(
    (number) => !isOfPart(number, { index: 1, count: 2 }, RUNS),
  );
  for (const first of [elsewhere ?? -1, RUNS + 10]) {
    const violated = family.violated.map((one) =>
      one.first === finding.number ? { ...one, first } : one,
    );
    const findings = [{ ...finding, number: first }, ...others];
    expect(forged({ violated, findings })).toEqual([
      `families[0].violated[0].first: expected the number of one of the ${HALF} cases, found ${first}`,
    ]);
  }
  expect(forged({ unsound: HALF + 25 })[0]).toMatch(
    /^families\[0\]\.cases: expected at least the \d+ that/,
  );
  expect(forged({ reached: ["x"], unreached: ["x"] })[0]).toContain("families[0].unreached[0]: ");
  expect(forged({ outcomes: { "halt/nothing": 1 } })[0]).toContain("by the names of outcomes");
  expect(forged({ unreached: ["val-0 is stopped"] })).toEqual([
    'families[0].unreached[0]: expected one of its properties under sometimes, "two chains", "first block", found "val-0 is stopped"',
  ]);
  expect(forged({ unasked: ["at height 2", "at height 3"] })).toEqual([
    'families[0].unasked[1]: expected one of its properties, "val-0 is stopped", "at height 2", "two chains", "first block", found "at height 3"',
  ]);
  expect(forged({ unasked: ["x"], properties: [], unreached: [] })).toEqual([
    'families[0].unasked[0]: expected nothing, as the file has no properties, found "x"',
  ]);
  expect(forged({ outcomes: { "error/sdk/5": HALF + 1 } })).toEqual([
    `families[0].outcomes.error/sdk/5: expected at most the ${HALF} cases, found ${HALF + 1}`,
  ]);
  expect(found({ scenario: "not yaml: [" })[0]).toContain("expected a sound scenario");
  expect(found({ seed: 9 })[0]).toContain("seed: expected 3, the seed of the search, found 9");
  expect(found({ violation: { ...violation, property: "a\nb" } })[0]).toContain("on one line");
});

test("a part has of the cases as many as its numbers say", () => {
  const numbers = Array.from({ length: 1_050 }, (_, number) => number);
  for (const count of [1, 2, 3, 7, 20]) {
    for (let index = 1; index <= count; index++) {
      for (const [cases, of] of [
        ...[0, 1, 100, 101, 450, 1_050].map((all) => [all, all] as const),
        ...[0, 1, 100, 101, 450].map((some) => [some, 1_050] as const),
      ]) {
        const own = numbers.filter(
          (number) => number < cases && isOfPart(number, { index, count }, of),
        );
        expect(casesOfPart(cases, { index, count }, of)).toBe(own.length);
      }
    }
  }
});

test("a report is read as it was written, and a broken or foreign one is refused with its place", async () => {
  const report = await searched({ runs: 20 });
  const text = JSON.stringify(report);
  expect(readReport(text, "a.json")).toEqual({ report });
  const problems = (content: string) => {
    const read = readReport(content, "a.json");
    return "problems" in read
      ? read.problems.map(({ path, message }) => `${path}: ${message}`)
      : [];
  };
  expect(problems(text.slice(0, 40))[0]).toMatch(/expected/);
  expect(problems("[]")[0]).toContain("expected a map");
  expect(problems('{"scenarios":[],"passed":1,"failed":0}')[0]).toContain('missing key "search"');
  expect(problems(text.replace('"cases":20', '"cases":-1'))).toEqual([
    "families[0].cases: expected a whole number from 0 on, found -1",
  ]);
  expect(problems(text.replace('"search":1', '"search":2'))).toEqual([
    "search: expected 1, the version of the format, found 2",
  ]);
});

test("what one part could ask is not unasked, and all is in the order of one search", () => {
  const part = (index: number, more: object): NamedReport => ({
    file: `${index}.json`,
    report: {
      ...{ search: 1, seed: 1, runs: 200, all: true, shard: { index, count: 2 } },
      families: [
        {
          ...{ file: "a.yaml", name: "a", digest: "0".repeat(64), cases: 100, unsound: 0 },
          ...{
            unfinished: 1,
            properties: [],
            violated: [],
            reached: [],
            unreached: [],
            outcomes: {},
            findings: [],
          },
          ...{ unasked: [] },
          ...more,
        },
      ],
    },
  });
  const broken = (property: string, first: number) => ({
    ...{ property, kind: "never", cases: 1, first },
  });
  const unfinished = (number: number) => ({ number, step: 1, message: "it stands" });
  const report = merged([
    part(2, {
      ...{ unasked: ["late", "never"], firstUnfinished: unfinished(140) },
      ...{ violated: [broken("a", 130), broken("b", 130)], outcomes: { a: 1 } },
    }),
    part(1, {
      ...{ unasked: ["late"], firstUnfinished: unfinished(30) },
      ...{ violated: [broken("b", 150)], outcomes: { b: 1 } },
    }),
  ]);
  expect(report.families[0]).toMatchObject({ unasked: ["late"], firstUnfinished: unfinished(30) });
  expect(report.families[0]?.violated.map(({ property }) => property)).toEqual(["a", "b"]);
  expect(Object.keys(report.families[0]?.outcomes ?? {})).toEqual(["a", "b"]);
});
