import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { parseScenario, readSourceObject } from "../parse.ts";
import { runScenario } from "../report.ts";
import { stepsOf } from "../varied.ts";
import { DISTURBANCES } from "../vary.ts";
import type { Disturbance } from "./disturbances.ts";
import { caseOf, choicesOf, drawCase } from "./draw.ts";
import { positionsOf, unreachedDisturb } from "./places.ts";
import { runBatch } from "./run-batch.ts";
import { shrink } from "./shrink.ts";
import { familyOf } from "./testing.ts";

const STORY = `
scenario: 1
name: story
genesis: { validators: 4, gov: { voting_period: 30s } }
binaries: { v2: { modules: { bank: 5 }, handlers: [v2] } }
steps:
  - run: 3
  - propose:
      from: val-0
      title: Upgrade
      messages:
        - "@type": /chain.upgrade.v1beta1.MsgSoftwareUpgrade
          authority: "\${gov}"
          plan: { name: v2, height: "14" }
    as: plan
  - tx:
      from: val-1
      msgs: [{ "@type": /chain.gov.v1.MsgVote, proposal_id: $plan, voter: "\${val-1}", option: VOTE_OPTION_YES }]
      wait: false
  - run: { rounds: 15 }
  - nodes: { which: [val-0, val-1, val-2], binary: v2 }
  - nodes: { which: [val-3], binary: v2 }
  - run: { rounds: 10 }
`;
const family = (disturb: string) => familyOf(`${STORY}disturb: ${disturb}\n`);
const everything = family(
  `[{ kinds: [${DISTURBANCES.join(", ")}], most: 6 }, { kinds: [crash], most: 2, nodes: [val-1] }]`,
);

/** The steps of the story with one disturbance. */
function withOne(disturbance: Disturbance, of = everything): readonly unknown[] {
  const { vary } = caseChoices();
  return stepsOf(caseOf(of, { vary, disturb: [[disturbance]] }).value);
}
const caseChoices = () => ({ vary: [], disturb: [] });
const verbs = (steps: readonly unknown[]) => steps.map((step) => Object.keys(step as object)[0]);

describe("what happens beside the steps", () => {
  test("never keeps them from being done, whatever is drawn", () => {
    fc.assert(
      fc.property(choicesOf(everything), (choices) => {
        const read = readSourceObject(caseOf(everything, choices).value);
        if ("problems" in read) throw new Error(JSON.stringify(read.problems));
        // Only for this story: its own steps can fail by a disturbance, added ones cannot.
        const { steps } = runScenario(read.scenario, { file: "case" });
        const failed = steps.find(({ ok }) => !ok);
        const { verb, message } = failed ?? { verb: "", message: "" };
        if (failed) expect(["run", "propose", "vote"], message).toContain(verb);
      }),
    );
  });

  test("is an ordinary scenario also as a file", () => {
    for (let number = 0; number < 20; number++) {
      const text = drawCase(everything, 3, number).text();
      expect(text).not.toContain("disturb");
      const read = parseScenario(text, "case.yaml");
      expect("problems" in read ? read.problems : []).toEqual([]);
    }
  });

  test("is of the kinds, on the nodes and at the heights that are named", () => {
    const few = family("{ kinds: [mute, stop], nodes: [val-2], most: 2, from: 5, to: 9 }");
    fc.assert(
      fc.property(choicesOf(few), ({ disturb: [happens = []] }) => {
        expect(happens.length).toBeLessThanOrEqual(2);
        for (const { kind, node, position } of happens) {
          expect(["mute", "stop"]).toContain(kind);
          expect(node).toBe("val-2");
          const { height } = positionsOf(few.source).find(
            ({ step, rounds }) => step === position.step && rounds === position.rounds,
          ) ?? { height: -1 };
          expect(height).toBeGreaterThanOrEqual(5);
          expect(height).toBeLessThanOrEqual(9);
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  test("is nothing where the story never comes to its heights", () => {
    const none = family("{ kinds: [crash], from: 1000, most: 5 }");
    expect(fc.sample(choicesOf(none), 10)).toEqual(
      Array.from({ length: 10 }, () => ({ vary: [], disturb: [[]] })),
    );
  });

  test("comes in all its kinds", () => {
    const kinds = new Set<string>();
    for (const { disturb } of fc.sample(choicesOf(everything), { numRuns: 300, seed: 1 })) {
      for (const { kind } of disturb.flat()) kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual([...DISTURBANCES].sort());
  });
});

describe("a partition", () => {
  const cut = family("{ kinds: [partition], nodes: [val-0, val-1, val-3], most: 4 }");

  test("cuts a part of the nodes that are named off from all others, and is healed in the end", () => {
    const sides = new Set<string>();
    for (const { disturb } of fc.sample(choicesOf(cut), { numRuns: 200, seed: 1 })) {
      for (const one of disturb.flat()) {
        const [step] = withOne({ ...one, position: { step: 0, rounds: 0 } });
        const { kind, groups, for: heights } = (step as PartitionStep).fault;
        expect(kind).toBe("partition");
        const [side = [], ...others] = groups;
        expect(others).toEqual([]);
        expect(heights).toBeGreaterThanOrEqual(1);
        expect(heights).toBeLessThanOrEqual(10);
        expect(side).not.toContain("val-2");
        expect(new Set(side).size).toBe(side.length);
        sides.add(side.join());
      }
    }
    // Every non-empty subset of three nodes.
    expect(sides.size).toBe(7);
  });

  test("of half the power halts the chain, and shrinks to the nodes that it takes", () => {
    const text = `scenario: 1
name: apart
genesis: { validators: 5 }
never: [{ name: stands still, chain: halted }]
steps: [{ run: { rounds: 12 } }]
disturb: { kinds: [partition, clock], most: 2, from: 1 }
`;
    const file = { file: "apart.yaml", text, imports: {} };
    const batch = { family: file, seed: 1, first: 0, count: 60, untilFirst: true };
    const [found] = runBatch(batch).violated;
    if (found === undefined) throw new Error("no partition halts it");
    const { scenario } = shrink({ family: file, seed: 1, found });
    expect(scenario).toMatch(/kind: partition, groups: \[ ?\[ ?val-\d, val-\d ?\] ?\]/);
  });

  test("is none of a network of one node", () => {
    const text = "scenario: 1\nname: one\ngenesis: { validators: 1 }\nsteps: [{ run: 3 }]\n";
    expect(() => familyOf(`${text}disturb: { kinds: [clock, partition] }\n`)).toThrow(
      "a network of one node has nothing to be partitioned into",
    );
  });
});

describe("a twin", () => {
  const text = `scenario: 1
name: failover
genesis: { validators: 4 }
never: [{ name: signs twice, events: { type: slash, attributes: { reason: double_sign } } }]
steps: [{ run: { rounds: 12 } }]
disturb: { kinds: [twin, crash], nodes: [val-1], most: 3, from: 1 }
`;
  const twin = (step: number, rounds: number) =>
    ({ kind: "twin", node: "val-1", position: { step, rounds } }) as const;

  test("signs beside the first node, which is all that the story comes down to", () => {
    const file = { file: "failover.yaml", text, imports: {} };
    const batch = { family: file, seed: 1, first: 0, count: 60, untilFirst: true };
    const [found] = runBatch(batch).violated;
    if (found === undefined) throw new Error("no twin signs");
    const { steps, counterfactual } = shrink({ family: file, seed: 1, found });
    expect(steps.map(({ words }) => words)).toEqual(["val-1: twin", "goes through 2 rounds"]);
    expect(counterfactual?.words).toBe("Had val-1 had no second node, it would have held.");
  });

  test("is one, however often it is drawn", () => {
    const { vary } = caseChoices();
    const { value } = caseOf(familyOf(text), { vary, disturb: [[twin(0, 2), twin(0, 3)]] });
    const read = readSourceObject(value);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { steps } = runScenario(read.scenario, { file: "case" });
    // It is slashed after them.
    expect(steps.slice(0, 4).map(({ verb, ok }) => `${verb} ${ok}`)).toEqual([
      ...["run true", "nodes true", "run true", "nodes true"],
    ]);
  });
});

interface PartitionStep {
  readonly fault: {
    readonly kind: string;
    readonly groups: readonly (readonly string[])[];
    readonly for: number;
  };
}

describe("its place", () => {
  const stop = (step: number, rounds: number) =>
    withOne({ kind: "stop", node: "val-2", position: { step, rounds } });
  const stopped = { nodes: { which: ["val-2"], stop: true } };

  test("is before a step", () => {
    expect(verbs(stop(1, 0))).toEqual([
      "run",
      "nodes",
      "propose",
      "tx",
      "run",
      "nodes",
      "nodes",
      "run",
    ]);
    expect(stop(1, 0)[1]).toEqual(stopped);
  });

  test("is within a step that runs the chain, which is cut in two", () => {
    expect(stop(0, 1).slice(0, 3)).toEqual([{ run: 1 }, stopped, { run: 2 }]);
    expect(stop(3, 4).slice(3, 6)).toEqual([
      { run: { rounds: 4 } },
      stopped,
      { run: { rounds: 11 } },
    ]);
  });

  test("is within a step that waits for a vote, which is cut after all have voted", () => {
    const voting = familyOf(`
scenario: 1
name: voting
genesis: { validators: 4, gov: { voting_period: 60s } }
steps:
  - upgrade: { name: v2, at: 40 }
    note: The upgrade is decided.
  - pass: { title: A remark, messages: [], metadata: a }
    as: remark
  - run: { until: { proposal: $remark, is: passed } }
disturb: { kinds: [stop] }
`);
    const places = positionsOf(voting.source).filter(({ step }) => step < 2);
    expect(places.slice(0, 3)).toEqual([
      { step: 0, rounds: 0, height: 0 },
      { step: 0, rounds: 2, height: 2 },
      { step: 0, rounds: 3, height: 3 },
    ]);
    const steps = withOne(
      { kind: "stop", node: "val-2", position: { step: 0, rounds: 5 } },
      voting,
    );
    expect(steps.slice(0, 4)).toEqual([
      {
        upgrade: { name: "v2", at: 40, until: "voted" },
        note: "The upgrade is decided.",
        as: "vote-0",
      },
      { run: { rounds: 3 } },
      stopped,
      { run: { until: { proposal: "$vote-0", is: "decided" } } },
    ]);
    expect(
      withOne({ kind: "stop", node: "val-2", position: { step: 1, rounds: 2 } }, voting),
    ).toEqual([
      { upgrade: { name: "v2", at: 40 }, note: "The upgrade is decided." },
      { pass: { title: "A remark", messages: [], metadata: "a", until: "voted" }, as: "remark" },
      stopped,
      { run: { until: { proposal: "$remark", is: "decided" } } },
      { run: { until: { proposal: "$remark", is: "passed" } } },
    ]);
    // With or without a cut, the vote ends in the same block.
    const heights = [0, 2, 7].map((rounds) => {
      const position = { step: 1, rounds };
      const { value } = caseOf(voting, {
        vary: [],
        disturb: [[{ kind: "lose_signer_state", node: "val-2", position }]],
      });
      const read = readSourceObject(value);
      if ("problems" in read) throw new Error(JSON.stringify(read.problems));
      const { ok, height } = runScenario(read.scenario, { file: "case" });
      return { ok, height };
    });
    expect(heights).toEqual(Array(3).fill({ ok: true, height: heights[0]?.height }));
  });

  test("is behind a step that is over by then", () => {
    expect(stop(0, 9).slice(0, 2)).toEqual([{ run: 3 }, stopped]);
  });

  test("is one that the story as it is written comes to", () => {
    const places = positionsOf(everything.source);
    expect(places.slice(0, 5)).toEqual([
      { step: 0, rounds: 0, height: 0 },
      { step: 0, rounds: 1, height: 1 },
      { step: 0, rounds: 2, height: 2 },
      { step: 1, rounds: 0, height: 3 },
      { step: 2, rounds: 0, height: 4 },
    ]);
    expect(places.filter(({ step }) => step === 3)).toHaveLength(15);
  });

  test("is none before all have voted in a step that passes a proposal, and where no other is there that is said", () => {
    const within = (bounds: string) =>
      unreachedDisturb(
        familyOf(`scenario: 1
name: a
genesis: { validators: 4, gov: { voting_period: 60s } }
binaries: { v2: { handlers: [v2] } }
steps:
  - upgrade: { name: v2, at: 40 }
  - run: { rounds: 3 }
disturb: { ${bounds}, kinds: [stop] }
`),
      );
    expect(within("from: 1, to: 1")).toEqual({
      path: ["disturb"],
      message:
        "nothing can happen from height 1 to height 1: as it is written, no step begins there, nor is one under way that is cut in two",
    });
    expect(within("from: 2, to: 11")).toBeUndefined();
    expect(within("to: 11")).toBeUndefined();
    expect(within("from: 2")).toBeUndefined();
  });

  test("cuts each way of running the chain so that as much of it is left", () => {
    const cutOf = (run: string, rounds: number) => {
      const of = familyOf(
        `scenario: 1\nname: a\ngenesis: { validators: 4 }\nsteps:\n  - run: ${run}\ndisturb: { kinds: [stop] }\n`,
      );
      return withOne({ kind: "stop", node: "val-2", position: { step: 0, rounds } }, of).filter(
        (_, index) => index !== 1,
      );
    };
    expect(cutOf("{ to: 9 }", 4)).toEqual([{ run: { rounds: 4 } }, { run: { to: 9 } }]);
    expect(cutOf("{ for: 1m }", 4)).toEqual([{ run: { rounds: 4 } }, { run: { for: "40s" } }]);
    expect(cutOf("{ until: halted }", 2)).toEqual([
      { run: { rounds: 2 } },
      { run: { until: "halted" } },
    ]);
  });
});

describe("a late binary", () => {
  const late = (node: string, brings: number, step: number) =>
    withOne({ kind: "late_binary", node, step: brings, position: { step, rounds: 0 } });

  test("is brought to the others in time, and to the late one at its place", () => {
    expect(late("val-1", 4, 6).slice(4)).toEqual([
      { nodes: { which: ["val-0", "val-2"], binary: "v2" } },
      { nodes: { which: ["val-3"], binary: "v2" } },
      { nodes: { which: ["val-1"], binary: "v2" } },
      { run: { rounds: 10 } },
    ]);
  });

  test("never comes if its place is not behind the step", () => {
    expect(late("val-1", 4, 2).slice(4)).toEqual([
      { nodes: { which: ["val-0", "val-2"], binary: "v2" } },
      { nodes: { which: ["val-3"], binary: "v2" } },
      { run: { rounds: 10 } },
    ]);
  });

  test("takes the whole step with it if no other node is in it", () => {
    expect(late("val-3", 5, 2).slice(4)).toEqual([
      { nodes: { which: ["val-0", "val-1", "val-2"], binary: "v2" } },
      { run: { rounds: 10 } },
    ]);
  });

  test("is drawn of nodes that get one there, also where what names them differs", () => {
    const drawn = (text: string) =>
      new Set(
        fc
          .sample(choicesOf(familyOf(text)), { numRuns: 100, seed: 1 })
          .flatMap(({ disturb }) => disturb.flat())
          .map((one) => (one.kind === "late_binary" ? `${one.step} ${one.node}` : one.kind)),
      );
    const text = `${STORY}disturb: { kinds: [late_binary], most: 2 }\n`;
    expect([...drawn(text)].sort()).toEqual(["4 val-0", "4 val-1", "4 val-2", "5 val-3"]);
    const varied = `${text}vary: [{ at: "steps[5].nodes.which", subset: [val-2, val-3] }]\n`;
    expect(drawn(varied)).toContain("5 val-2");
    expect(drawn(text.replace("{ kinds", "{ nodes: [val-3], kinds"))).toEqual(new Set(["5 val-3"]));
  });

  test("is none of a node that does not get it there", () => {
    expect(late("val-0", 5, 6)).toEqual(everything.steps);
  });
});
