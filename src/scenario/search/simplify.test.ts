import { describe, expect, test } from "vitest";
import { type SourceObject, stepsOf } from "../varied.ts";
import { Acts, withOrigins } from "./acts.ts";
import { bare, simplify } from "./simplify.ts";
import { Trial, type Verdict } from "./trial.ts";

interface Told {
  readonly violatedIf: (value: SourceObject) => boolean;
  /** Cases that cannot be run. */
  readonly unsoundIf?: (value: SourceObject) => boolean;
  readonly step?: number;
  readonly height?: number;
  readonly heights?: (value: SourceObject) => readonly number[];
  /** Maximum number of verdicts. */
  readonly most?: number;
}

/** Returns predefined verdicts, without a chain. */
class ToldTrial extends Trial {
  readonly #told: Told;
  #count = 0;

  constructor(told: Told) {
    super({ property: "p", kind: "never", height: 1, message: "" });
    this.#told = told;
  }

  override get isSpent(): boolean {
    return this.#count >= (this.#told?.most ?? Number.POSITIVE_INFINITY);
  }

  override verdict(value: SourceObject): Verdict {
    const { violatedIf, unsoundIf, step, height = 1, heights } = this.#told;
    this.#count += 1;
    if (unsoundIf?.(value)) return { is: "unsound" };
    const run = { violations: [], reached: [], asked: [], height, heights: heights?.(value) ?? [] };
    if (!violatedIf(value)) return { is: "holds", run };
    const at = step === undefined ? {} : { step };
    const violation = { property: "p", kind: "never", height, message: "", ...at } as const;
    return { is: "violated", run, violation };
  }
}

interface Case extends Told {
  readonly found: SourceObject;
  /** The file's own case; by default the found one, so that anything may be omitted. */
  readonly written?: SourceObject;
  /** Original positions of the found case's steps. */
  readonly origins?: readonly number[];
}

/** Simplifies a case; returns the result, and the changes tried and accepted. */
function simplest({ found, written: source = found, origins = [], ...told }: Case) {
  const trial = new ToldTrial(told);
  const acts = new Acts({ source, nodes: ["val-0", "val-1", "val-2"] });
  const value = simplify(
    withOrigins(found, origins.length > 0 ? origins : [...stepsOf(found).keys()]),
    trial,
    acts,
  );
  const kept = trial.log.flatMap((one) => (one.kept ? one.words : []));
  return {
    value: JSON.parse(JSON.stringify(value)),
    kept,
    tried: trial.log.map(({ words }) => words),
  };
}

const stop = (...which: readonly string[]) => ({ nodes: { which, stop: true } });
const start = (...which: readonly string[]) => ({ nodes: { which, start: true } });
const has = (value: SourceObject, step: object): boolean =>
  stepsOf(value).some((one) => JSON.stringify(one) === JSON.stringify(step));
/** The rounds of each step that runs the chain. */
const runsOf = (value: SourceObject): readonly number[] =>
  stepsOf(value).flatMap((step) => {
    const { run } = Object(step);
    return run === undefined ? [] : Number(run.rounds ?? run.to ?? run);
  });
const total = (value: SourceObject): number =>
  runsOf(value).reduce((sum, rounds) => sum + rounds, 0);

describe("what is only told of a case", () => {
  test("is not part of it", () => {
    const found = {
      ...{ scenario: 1, name: "n", title: "t", about: "a", group: "g", level: "l" },
      ...{ minutes: 3, pace: 4, genesis: { validators: 4 } },
      steps: [
        { run: 1, note: "One.", as: "x", show: { view: "log" } },
        { run: 2, off: true },
        "odd",
      ],
    };
    expect(bare(found)).toEqual({
      ...{ scenario: 1, name: "n", genesis: { validators: 4 } },
      steps: [{ run: 1, as: "x" }, "odd"],
    });
  });
});

describe("of the properties", () => {
  test("only those stay without which it is not violated", () => {
    const found = {
      ...{ always: ["a", "b", "c"], never: ["d"], eventually: "e", sometimes: ["f", "g"] },
      steps: [],
    };
    const violatedIf = ({ always, sometimes }: SourceObject) =>
      Array.isArray(always) && always.includes("b") && Array.isArray(sometimes);
    const { value, tried } = simplest({ found, violatedIf });
    expect(value).toEqual({ always: ["b"], eventually: "e", sometimes: ["f"], steps: [] });
    expect(tried).toEqual([
      ...["always", "always", "always", "never", "sometimes", "sometimes"].map(
        (key) => `leave out a property under ${key}`,
      ),
    ]);
  });
});

describe("what follows the violation", () => {
  const found = { steps: [{ run: 1 }, stop("val-0"), { run: 1 }, stop("val-1")] };

  test("is left out first, all at once", () => {
    const violatedIf = (value: SourceObject) => stepsOf(value).length >= 2;
    const { value, tried } = simplest({ found, violatedIf, step: 1 });
    expect(value.steps).toEqual([{ run: 1 }, stop("val-0")]);
    expect(tried[0]).toBe("leave out all that follows step 2");
  });

  test.each([
    ["is the last step", 3],
    ["is of no step", undefined],
  ])("is nothing where that %s", (_, step) => {
    const violatedIf = (value: SourceObject) => stepsOf(value).length === 4;
    const { value, tried } = simplest({ found, violatedIf, ...(step !== undefined && { step }) });
    expect(value).toEqual(found);
    expect(tried[0]).toBe("leave out steps 3 to 4");
  });

  test("stays where it is not violated without", () => {
    const violatedIf = (value: SourceObject) => stepsOf(value).length === 4;
    const { value, tried } = simplest({ found, violatedIf, step: 2 });
    expect(value).toEqual(found);
    expect(tried[0]).toBe("leave out all that follows step 3");
  });
});

describe("steps are left out", () => {
  test("by halves, quarters and one at a time, from the end, until none can be", () => {
    const steps = ["a", "b", "c", "d", "e"].map((name) => stop(name));
    const violatedIf = (value: SourceObject) => has(value, stop("b"));
    const { value, tried } = simplest({ found: { steps }, violatedIf });
    expect(value.steps).toEqual([stop("b")]);
    expect(tried).toEqual([
      "leave out steps 3 to 5",
      // Quarters are no smaller than the rest.
      "leave out steps 1 to 2",
      "leave out steps 1 to 2",
      "leave out step 2, b: stop",
      "leave out step 1, a: stop",
      "leave out step 1, b: stop",
      "leave out step 1, b: stop",
    ]);
  });

  test("where another one that needed them has gone before", () => {
    const [one, two, three] = [stop("a"), stop("b"), stop("c")];
    // Without the third the second is not needed; the last one is always needed.
    const violatedIf = (value: SourceObject) =>
      has(value, one) &&
      (!has(value, two) || !has(value, three) || stepsOf(value).length === 3) &&
      !(has(value, three) && !has(value, two));
    expect(simplest({ found: { steps: [one, two, three] }, violatedIf }).value.steps).toEqual([
      one,
    ]);
  });

  test("in a second pass where a shorter run has made them needless", () => {
    const found = { steps: [stop("val-0"), { run: 10 }] };
    const violatedIf = (value: SourceObject) =>
      total(value) > 0 && (has(value, stop("val-0")) || total(value) === 1);
    const { value, kept } = simplest({ found, violatedIf });
    expect(value.steps).toEqual([{ run: 1 }]);
    expect(kept).toEqual(["step 2: run 1 instead of 10", "leave out step 1, val-0: stop"]);
  });

  test("in a third pass where the second has made runs shorter", () => {
    const found = { steps: [stop("a"), stop("b"), { run: 10 }] };
    const violatedIf = (value: SourceObject) => {
      const rounds = total(value);
      if (has(value, stop("b"))) return has(value, stop("a")) && rounds >= 5;
      if (has(value, stop("a"))) return rounds >= 2 && rounds <= 5;
      return rounds === 2;
    };
    expect(simplest({ found, violatedIf }).value.steps).toEqual([{ run: 2 }]);
  });

  test("no more once so much was run that no more is", () => {
    const found = { steps: [stop("val-0"), { run: 10 }] };
    const violatedIf = (value: SourceObject) =>
      total(value) > 0 && (has(value, stop("val-0")) || total(value) === 1);
    const { value } = simplest({ found, violatedIf, most: 5 });
    expect(value.steps).toEqual([stop("val-0"), { run: 1 }]);
  });
});

describe("a run", () => {
  test.each([
    ["rounds alone", (rounds: number) => ({ run: rounds }), "run"],
    ["rounds", (rounds: number) => ({ run: { rounds } }), "run.rounds"],
    ["a height", (to: number) => ({ run: { to } }), "run.to"],
    ["a fault", (rounds: number) => ({ fault: { node: "val-0", for: rounds } }), "fault.for"],
  ])("by %s is as short as can be, found by halves", (_, stepOf, path) => {
    const rounds = (value: SourceObject): number => {
      const { run, fault } = Object(stepsOf(value)[0]);
      return Number(fault?.for ?? run?.rounds ?? run?.to ?? run ?? 0);
    };
    const violatedIf = (value: SourceObject) => rounds(value) >= 6;
    const { value, tried } = simplest({ found: { steps: [stepOf(20)] }, violatedIf });
    expect(value.steps).toEqual([stepOf(6)]);
    const lengths = tried.flatMap((words) => words.match(/^step 1: (.+) instead of/)?.[1] ?? []);
    expect(lengths).toEqual([1, 10, 5, 7, 6, 1, 3, 4, 5].map((length) => `${path} ${length}`));
  });

  test("of two rounds may be of one, and one of one is not tried", () => {
    const two = simplest({
      found: { steps: [{ run: 2 }] },
      violatedIf: (value) => total(value) > 0,
    });
    expect([two.value.steps, two.kept]).toEqual([[{ run: 1 }], ["step 1: run 1 instead of 2"]]);
    const one = simplest({
      found: { steps: [{ run: 1 }] },
      violatedIf: (value) => total(value) > 0,
    });
    expect(one.tried.filter((words) => words.includes("instead"))).toEqual([]);
  });

  test("that waits for a proposal runs for as many rounds as it made blocks", () => {
    const found = { steps: [{ run: 1 }, { run: { until: { proposal: 1 } } }] };
    const isWaiting = (value: SourceObject) => JSON.stringify(value).includes("until");
    const violatedIf = (value: SourceObject) =>
      stepsOf(value).length === 2 &&
      runsOf(value)[0] === 1 &&
      (isWaiting(value) || runsOf(value)[1] === 4);
    const { value, kept } = simplest({ found, violatedIf, heights: () => [3, 7], height: 99 });
    expect(value.steps).toEqual([{ run: 1 }, { run: { rounds: 4 } }]);
    expect(kept).toEqual(["step 2: 4 rounds instead of until a proposal ends"]);
  });

  test.each([
    ["up to the violation where it did not end", [3], 5, 2, "2 rounds"],
    ["from the beginning where it is the first", [], 5, 5, "5 rounds"],
    ["for one where the chain stood still", [5, 5], 9, 1, "1 round"],
  ])("that waits for a proposal runs %s", (_, heights, height, rounds, words) => {
    const waits = { run: { until: { proposal: 1 } } };
    const steps = heights.length === 0 ? [waits] : [stop("val-0"), waits];
    const violatedIf = (value: SourceObject) =>
      stepsOf(value).length === steps.length &&
      (JSON.stringify(value).includes("until") || total(value) === rounds);
    const { value, kept } = simplest({
      found: { steps },
      violatedIf,
      heights: () => heights,
      height,
    });
    expect(value.steps.at(-1)).toEqual({ run: { rounds } });
    expect(kept).toEqual([`step ${steps.length}: ${words} instead of until a proposal ends`]);
  });
});

describe("names", () => {
  test.each([
    ["of nodes", (names: readonly string[]) => ({ nodes: { which: names, stop: true } })],
    [
      "of a fault's group",
      (names: readonly string[]) => ({ fault: { groups: [names, ["val-9"]] } }),
    ],
    ["of those who vote", (names: readonly string[]) => ({ vote: { proposal: 1, by: names } })],
    ["of attackers", (names: readonly string[]) => ({ light_client_attack: { by: names } })],
    ["of validators", (names: readonly string[]) => ({ misbehavior: { validators: names } })],
  ])("%s are as few as can be, and never none", (_, stepOf) => {
    const violatedIf = (value: SourceObject) => JSON.stringify(stepsOf(value)).includes('"bob"');
    const fewest = (names: readonly string[]) =>
      simplest({ found: { steps: [stepOf(names)] }, violatedIf: (value) => violatedIf(value) });
    const { value, kept } = fewest(["ann", "bob", "cem"]);
    expect(value.steps).toEqual([stepOf(["bob"])]);
    expect(kept).toEqual(["step 1: without ann", "step 1: without cem"]);
    expect(fewest(["bob"]).tried.filter((words) => words.includes("without"))).toEqual([]);
  });

  test("that are needed together all stay, each tried once", () => {
    const found = { steps: [stop("a", "b", "c")] };
    const { value, tried } = simplest({
      found,
      violatedIf: (one) => has(one, stop("a", "b", "c")),
    });
    expect(value).toEqual(found);
    expect(tried).toEqual([
      "leave out step 1, a, b, c: stop",
      ...["a", "b", "c"].map((name) => `step 1: without ${name}`),
    ]);
  });

  test("are not looked for where all are meant", () => {
    const found = { steps: [{ nodes: { which: "all", stop: true } }] };
    const { value, tried } = simplest({ found, violatedIf: (one) => stepsOf(one).length === 1 });
    expect([value, tried]).toEqual([found, [expect.stringMatching(/^leave out step 1, /)]]);
  });
});

describe("the beginning", () => {
  const genesis = {
    validators: 4,
    block_time: "2s",
    staking: { unbonding_time: "1h", max_validators: 5 },
    gov: { voting_period: "30s" },
    other: { one: 1 },
    slashing: "odd",
  };

  test("has no binaries and parameters that are not needed, one by one", () => {
    const found = { genesis, binaries: { v2: {}, v3: {} }, steps: [] };
    const violatedIf = (value: SourceObject) => {
      const { genesis: left, binaries } = Object(value);
      return (
        left?.validators === 4 &&
        left.staking?.max_validators === 5 &&
        left.other?.one === 1 &&
        binaries?.v3 !== undefined &&
        left.slashing === "odd"
      );
    };
    const { value, tried } = simplest({ found, violatedIf });
    expect(value).toEqual({
      genesis: {
        validators: 4,
        staking: { max_validators: 5 },
        other: { one: 1 },
        slashing: "odd",
      },
      binaries: { v3: {} },
      steps: [],
    });
    expect(tried).toEqual(
      [
        ...["binaries.v2", "binaries.v3", "genesis.validators", "genesis.block_time"],
        ...["genesis.staking", "genesis.staking.unbonding_time", "genesis.staking.max_validators"],
        ...["genesis.gov", "genesis.other", "genesis.slashing"],
      ].map((path) => `leave out ${path}`),
    );
  });

  test("has no map that is empty then", () => {
    const found = {
      genesis: { gov: { voting_period: "30s", a: 1 } },
      binaries: { v2: {} },
      steps: [],
    };
    // It cannot be removed as a whole at first.
    const violatedIf = ({ genesis: left, binaries }: SourceObject) =>
      left !== undefined || binaries === undefined;
    expect(simplest({ found, violatedIf }).value).toEqual({ steps: [] });
    let requested = 0;
    const inParts = ({ genesis: left }: SourceObject) => {
      if (left === undefined) requested += 1;
      return left !== undefined || requested > 1;
    };
    const { value, kept } = simplest({
      found: { genesis: found.genesis, steps: [] },
      violatedIf: inParts,
    });
    expect(value).toEqual({ steps: [] });
    expect(kept).toEqual(["leave out genesis.gov.voting_period", "leave out genesis.gov.a"]);
  });

  test("that is plainer has steps left out that it no longer needs, and runs made shorter", () => {
    const found = { genesis: { block_time: "2s" }, steps: [stop("val-0"), { run: 10 }] };
    const violatedIf = (value: SourceObject) =>
      value.genesis === undefined
        ? total(value) >= 3
        : has(value, stop("val-0")) && total(value) >= 8;
    const { value, kept } = simplest({ found, violatedIf });
    expect(value).toEqual({ steps: [{ run: 3 }] });
    expect(kept).toEqual([
      "step 2: run 8 instead of 10",
      "leave out genesis.block_time",
      "leave out step 1, val-0: stop",
      "step 1: run 4 instead of 8",
      "step 1: run 3 instead of 4",
    ]);
  });

  test("that cannot be plainer has nothing tried twice", () => {
    const found = { genesis: { block_time: "2s" }, steps: [stop("val-0")] };
    const violatedIf = (value: SourceObject) =>
      stepsOf(value).length === 1 && value.genesis !== undefined;
    expect(simplest({ found, violatedIf }).tried).toEqual([
      "leave out step 1, val-0: stop",
      "leave out genesis.block_time",
    ]);
  });
});

describe("runs that follow each other", () => {
  /** Of several runs each needs three rounds, of a single one five. */
  const apart = (value: SourceObject): boolean => {
    const runs = runsOf(value);
    return runs.length === 1 ? total(value) >= 5 : runs.length > 1 && runs.every((one) => one >= 3);
  };

  test("are joined, and then made shorter", () => {
    const found = { steps: [{ run: 3 }, { run: { rounds: 4 } }] };
    const { value, kept } = simplest({ found, violatedIf: apart });
    expect(value.steps).toEqual([{ run: { rounds: 5 } }]);
    expect(kept).toEqual([
      "step 2: run.rounds 3 instead of 4",
      "steps 1 and 2: one run of 6 rounds",
      "step 1: run.rounds 5 instead of 6",
    ]);
  });

  test("are joined one after the other, from the end", () => {
    const found = { steps: [stop("val-0"), { run: 2 }, { run: 2 }, { run: 2 }] };
    const violatedIf = (value: SourceObject) => stepsOf(value).length > 1 && total(value) === 6;
    const { value, kept } = simplest({
      found,
      violatedIf: (one) => has(one, stop("val-0")) && violatedIf(one),
    });
    expect(value.steps).toEqual([stop("val-0"), { run: { rounds: 6 } }]);
    expect(kept).toEqual([
      "steps 3 and 4: one run of 4 rounds",
      "steps 2 and 3: one run of 6 rounds",
    ]);
  });

  test("stay two where it holds in one", () => {
    const found = { steps: [{ run: 3 }, { run: 3 }] };
    const violatedIf = (value: SourceObject) => apart(value) && runsOf(value).length === 2;
    const { value, tried } = simplest({ found, violatedIf });
    expect(value).toEqual(found);
    expect(tried.at(-1)).toBe("steps 1 and 2: one run of 6 rounds");
  });

  test.each([
    ["something stands between them", [{ run: 1 }, start("val-0"), { run: 1 }]],
    ["the first has a name", [{ run: 1, as: "x" }, { run: 1 }]],
    ["the second does more", [{ run: 1 }, { run: { rounds: 1, every: 2 } }]],
    ["the second goes to a height", [{ run: 1 }, { run: { to: 1 } }]],
    ["the second is no map", [{ run: 1 }, "odd"]],
    ["the second is none of rounds", [{ run: 1 }, { run: "1" }]],
    ["the first is none of rounds", [{ run: "1" }, { run: 1 }]],
  ])("are not tried as one where %s", (_, steps) => {
    const found = { steps };
    const violatedIf = (value: SourceObject) => stepsOf(value).length === steps.length;
    const { value, tried } = simplest({ found, violatedIf });
    expect(value).toEqual(found);
    expect(tried.filter((words) => words.includes("one run"))).toEqual([]);
  });
});

describe("where the case that is written holds", () => {
  const steps = [stop("val-0"), start("val-1"), { run: 1 }];
  /** The file's own case is violated without its first step too. */
  const withoutFirst = (value: SourceObject) => !has(value, stop("val-0"));

  test("an act stays without which that would be violated too", () => {
    const found = { drawn: true, steps };
    const violatedIf = (value: SourceObject) => value.drawn === true || withoutFirst(value);
    const { value, tried } = simplest({ found, written: { steps }, violatedIf });
    expect(value.steps).toEqual([stop("val-0")]);
    expect(tried.join()).not.toContain("val-0: stop");
  });

  test("any may go where the written one cannot be run, or is violated itself", () => {
    const found = { drawn: true, steps };
    const violatedIf = (value: SourceObject) => value.drawn === true || withoutFirst(value);
    const isWhole = (value: SourceObject) => value.drawn !== true && stepsOf(value).length === 3;
    const input = { found, written: { steps } };
    expect(simplest({ ...input, violatedIf, unsoundIf: isWhole }).value.steps).toEqual([]);
    const both = (value: SourceObject) => violatedIf(value) || isWhole(value);
    expect(simplest({ ...input, violatedIf: both }).value.steps).toEqual([]);
  });

  test("an act goes without which that cannot be run", () => {
    const found = { drawn: true, steps };
    const violatedIf = (value: SourceObject) => value.drawn === true;
    const unsoundIf = (value: SourceObject) => value.drawn !== true && stepsOf(value).length < 3;
    expect(simplest({ found, written: { steps }, violatedIf, unsoundIf }).value.steps).toEqual([]);
  });

  test("a name stays without which that would be violated too", () => {
    const all = [stop("val-0", "val-1", "val-2")];
    const found = { drawn: true, steps: all };
    const violatedIf = (value: SourceObject) =>
      value.drawn === true ? stepsOf(value).length === 1 : !JSON.stringify(value).includes("val-1");
    const { value } = simplest({ found, written: { steps: all }, violatedIf });
    expect(value.steps).toEqual([stop("val-1")]);
  });

  test("an act stays where that is violated with less of what was drawn away", () => {
    const found = { drawn: true, steps: steps.slice(2) };
    // Both nodes were drawn away; with the second put back, the run is needed.
    const violatedIf = (value: SourceObject) =>
      value.drawn === true || (has(value, start("val-1")) && stepsOf(value).length === 1);
    const input = { found, written: { steps }, origins: [2] };
    expect(simplest({ ...input, violatedIf }).value.steps).toEqual([{ run: 1 }]);
    const other = (value: SourceObject) => value.drawn === true || stepsOf(value).length === 0;
    expect(simplest({ ...input, violatedIf: other }).value.steps).toEqual([]);
  });

  test("of what was drawn away only the first eight are put back", () => {
    const away = Array.from({ length: 10 }, (_, i) => stop(`node-${i}`));
    const whole = [...away, { run: 1 }];
    const input = {
      found: { drawn: true, steps: [{ run: 1 }] },
      written: { steps: whole },
      origins: [10],
    };
    const withOnly = (i: number) => (value: SourceObject) =>
      value.drawn === true || (stepsOf(value).length === 1 && has(value, stop(`node-${i}`)));
    expect(simplest({ ...input, violatedIf: withOnly(7) }).value.steps).toEqual([{ run: 1 }]);
    expect(simplest({ ...input, violatedIf: withOnly(8) }).value.steps).toEqual([]);
  });

  test("runs and names of what was drawn may be less: no act is left out by that", () => {
    const found = { drawn: true, steps: [{ run: 8 }] };
    const source = { steps: [stop("val-0"), start("val-1"), { run: 1 }] };
    // In the file's own case, part of the removed acts is needed: without only the first it is
    // violated.
    const violatedIf = (value: SourceObject) =>
      value.drawn === true
        ? total(value) >= 2
        : stepsOf(value).length === 2 && !has(value, stop("val-0"));
    const { value } = simplest({ found, written: source, origins: [2], violatedIf });
    expect(value.steps).toEqual([{ run: 2 }]);
  });

  test("steps behind the violation, which were left out at first, are needed by nothing", () => {
    const whole = [{ run: 1 }, stop("val-0"), start("val-1")];
    const found = { drawn: true, steps: whole };
    const violatedIf = (value: SourceObject) =>
      value.drawn === true ? has(value, { run: 1 }) : !has(value, start("val-1"));
    const { value } = simplest({ found, written: { steps: whole }, violatedIf, step: 1 });
    expect(value.steps).toEqual([{ run: 1 }]);
  });
});
