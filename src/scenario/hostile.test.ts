// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like template strings
/** Malicious files: each is refused with position and expected value, at low cost. */
import { expect, test } from "vitest";
import { parseScenario } from "./parse.ts";
import { contextOf, take } from "./testing.ts";

const file = (...lines: readonly string[]): string =>
  ["scenario: 1", "name: test", ...lines].join("\n");

const lines = (count: number, line: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => line(index));

const json = (rest: object): string =>
  JSON.stringify({ scenario: 1, name: "test", steps: [], ...rest });

function problems(text: string, name = "file.yaml") {
  const read = parseScenario(text, name);
  if ("scenario" in read) return [];
  return read.problems.map(({ line, column, path, message }) => {
    const place = column === undefined ? `${line}` : `${line}:${column}`;
    return `${place} ${path}: ${message}`;
  });
}

/** Title of the case, its text, and the problems found in it. */
const REFUSED: readonly (readonly [what: string, text: () => string, found: readonly string[]])[] =
  [
    [
      "a value that holds itself",
      () => file("steps:", "  - expect: { get: /, json: &j { a: *j } }"),
      ["4:37 : expected no alias *j in what it stands for"],
    ],
    [
      "an alias of nothing",
      () => file("steps:", "  - run: 1", "  - run: *far"),
      ["5:10 : expected an anchor &far before the alias *far"],
    ],
    [
      "an alias before its anchor",
      () => file("steps: [*a, &a { run: 1 }]"),
      ["3:9 : expected an anchor &a before the alias *a"],
    ],
    [
      "aliases of aliases",
      () =>
        [
          "a: &a0 [x, x, x, x, x, x, x, x, x, x]",
          ...lines(9, (i) => `a${i}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`),
        ].join("\n"),
      ["5:30 : expected at most 50000 values"],
    ],
    [
      "aliases that nest ever deeper",
      () => ["a: &a0 [x]", ...lines(900, (i) => `a${i}: &a${i + 1} [*a${i}]`)].join("\n"),
      ["64:12 : expected at most 64 levels of lists and maps"],
    ],
    [
      "very many aliases",
      () => file("about: &a x", `steps: [${Array(1_001).fill("*a").join(", ")}]`),
      ["4:4009 : expected at most 1000 aliases"],
    ],
    [
      "deep JSON",
      () => `{"scenario":${"[".repeat(1_000_000)}`,
      ["1:76 : expected at most 64 levels of lists and maps"],
    ],
    [
      "5 000 binaries, each from the next",
      () => file("binaries:", ...lines(5_000, (i) => `  b${i}: { from: b${i + 1} }`), "steps: []"),
      ["3 binaries: expected a map of binaries by name, at most 100, found 5000"],
    ],
    [
      "modules that add up by inheritance",
      () =>
        file(
          "binaries:",
          "  b0: {}",
          ...lines(3, (i) => {
            const modules = lines(70, (m) => `m${i}-${m}: 1`).join(", ");
            return `  b${i + 1}: { from: b${i}, modules: { ${modules} } }`;
          }),
          "steps: []",
        ),
      ["7 binaries.b3: expected at most 200 modules and plans, with what it inherits, found 216"],
    ],
    [
      "more accounts than a chain takes",
      () =>
        json({
          genesis: {
            accounts: Object.fromEntries(lines(10_001, String).map((i) => [`a${i}`, "1stake"])),
          },
        }),
      [
        "1:51 genesis.accounts: expected a map of accounts with their amounts, at most 10000, found 10001",
      ],
    ],
    [
      "more routes than evidence has",
      () => json({ genesis: { evidence_routes: lines(30_000, (i) => `r${i}`) } }),
      ["1:51 genesis.evidence_routes: expected a list of routes, at most 150, found 30000"],
    ],
    [
      "more handlers than a binary has plans",
      () => json({ binaries: { v2: { handlers: lines(30_000, String) } } }),
      ["1:58 binaries.v2.handlers: expected a list of plan names, at most 200, found 30000"],
    ],
    [
      "more names than there can be nodes",
      () =>
        json({
          steps: [
            { light_client_attack: { kind: "lunatic", by: lines(200_000, (i) => `n${i}`) } },
            { partition: [lines(30_000, (i) => `n${i}`)] },
          ],
        }),
      [
        "1:79 steps[0].light_client_attack.by: expected a list of validators, at most 20000, found 200000",
        "1:1888992 steps[1].partition[0]: expected a list of nodes, at most 20000, found 30000",
      ],
    ],
    [
      "more messages than a transaction holds",
      () =>
        json({
          steps: [{ tx: { from: "val-0", msgs: lines(50_000, () => "").map(() => ({})) } }],
        }),
      ["1:60 steps[0].tx.msgs: expected a list of messages, at most 1000, found 50000"],
    ],
    [
      "a message of very many keys",
      () => {
        const keys = Object.fromEntries(lines(15_000, (i) => `k${i}`).map((key) => [key, 1]));
        const msgs = [{ "@type": "/chain.bank.v1beta1.MsgSend", ...keys }];
        return json({ steps: [{ tx: { from: "val-0", msgs } }] });
      },
      [
        "1:68 steps[0].tx.msgs[0]: expected a map of MsgSend's fields, at most 100 keys, found 15000",
      ],
    ],
    [
      "a step of very many keys",
      () => {
        const keys = Object.fromEntries(lines(30_000, (i) => `k${i}`).map((key) => [key, 1]));
        return json({ steps: [keys] });
      },
      ["1:208929 : expected at most 20000 keys in a map"],
    ],
    [
      "a map of very many keys in YAML",
      () => file("steps: []", "genesis:", ...lines(20_001, (i) => `  k${i}: 1`)),
      ["20005:3 : expected at most 20000 keys in a map"],
    ],
    [
      "a key given twice in JSON",
      () => '{"scenario":1,"name":"x","name":"y","steps":[]}',
      ['1:26 : expected every key once, found "name" again'],
    ],
    [
      "JSON that ends too soon",
      () => '{"scenario":1,"name":"x"',
      ['1:25 : expected "," or "}", found the end'],
    ],
    [
      "a wrong value in JSON on one line",
      () => '{"scenario":1,"name":"x","steps":[{"run":1},{"run":-1}]}',
      ["1:46 steps[1].run: expected a whole number from 1 to 10000000, found -1"],
    ],
    [
      "a stake of 25 digits",
      () =>
        file(
          "genesis: { validators: [{ name: a, stake: 1234567890123456789012345 }] }",
          "steps: []",
        ),
      [
        '3 genesis.validators[0].stake: expected an amount, a whole number from 1 to 9000000000000000000000, found "1234567890123456789012345"',
      ],
    ],
    [
      "a stake of 25 digits in JSON, and one below zero",
      () => {
        const validators = '[{"name":"a","stake":1234567890123456789012345}]';
        const seed = "-1234567890123456789012345";
        return `{"scenario":1,"name":"x","seed":${seed},"genesis":{"validators":${validators}},"steps":[]}`;
      },
      [
        '1:26 seed: expected a whole number from 0 to 4294967295, found "-1234567890123456789012345"',
        '1:97 genesis.validators[0].stake: expected an amount, a whole number from 1 to 9000000000000000000000, found "1234567890123456789012345"',
      ],
    ],
    [
      "a stake that a number does not hold exactly",
      () => file("genesis: { validators: [{ name: a, stake: 12345678901234567 }] }", "steps: []"),
      [
        "3 genesis.validators[0].stake: expected an amount above 9007199254740991 in quotes, to be exact, found 12345678901234568",
      ],
    ],
    [
      "NUL",
      () => file("title: a\u0000b", "steps: []"),
      ["3:9 : expected text, found U+0000 in it"],
    ],
    [
      "a terminal's escape",
      () => file("title: \u001b[2J", "steps: []"),
      ["3:8 : expected text, found U+001B in it"],
    ],
    [
      "half of a surrogate pair",
      () => file("title: \ud83d", "steps: []"),
      ["3:8 : expected text, found U+D83D in it"],
    ],
    [
      "NUL by an escape",
      () => file('title: "a\\0b"', "steps: []"),
      ["3:8 : expected text, found U+0000 in it"],
    ],
    [
      "half of a surrogate pair by an escape",
      () => '{"scenario":1,"name":"\\ud83d"}',
      ["1:22 : expected text, found half of a surrogate pair in it"],
    ],
    [
      "a text without end",
      () => json({ title: "x".repeat(100_001) }),
      ["1:48 : expected a text of at most 100000 characters, found 100001"],
    ],
    [
      "a key without end",
      () => json({ ["x".repeat(1_001)]: 1 }),
      ["1:40 : expected a key of at most 1000 characters, found 1001"],
    ],
    [
      "too many characters",
      () => " ".repeat(16_000_001),
      ["1:1 : expected at most 16000000 characters, found 16000001"],
    ],
    [
      "too many characters of YAML",
      () => `#${" ".repeat(2_000_000)}`,
      ["1:1 : expected at most 2000000 characters of YAML, found 2000001"],
    ],
    [
      "too many values of JSON",
      () => `{"scenario":[${"0,".repeat(600_000)}0]}`,
      ["1:800010 : expected at most 400000 values"],
    ],
    [
      "too many marks of YAML",
      () => `a: [${"b,".repeat(300_000)}]`,
      ["1:150001 : expected at most 150000 words and marks of YAML"],
    ],
    [
      "a date, bytes and a set by their tags",
      () => file("title: !!timestamp 2026-01-01", "about: !!binary aGk=", "seed: !!set { a }"),
      [
        "3:8 : expected YAML: expected no tag",
        "4:8 : expected YAML: expected no tag",
        "5:7 : expected YAML: expected no tag",
      ],
    ],
    [
      "another version of YAML",
      () => "%YAML 1.1\n---\nscenario: 1",
      ["1:1 : expected YAML: expected no line that begins with %"],
    ],
    [
      "many documents",
      () => "---\n".repeat(90_000),
      ["2:1 : expected YAML: expected one document, found a second one"],
    ],
    [
      "keys that every object has",
      () =>
        file(
          "genesis: { __proto__: { validators: 9 }, constructor: 1 }",
          "toString: 1",
          "steps: []",
        ),
      [
        '3 genesis.__proto__: unknown key "__proto__", expected a map with chain_id, genesis_time, initial_height, prefix, profile, block_time, denom, max_evidence_age, max_evidence_age_blocks, max_evidence_bytes, evidence_types, evidence_routes, commits, slashing, staking, gov, accounts, validators',
        '4 toString: unknown key "toString", expected a map with scenario, name, title, about, seed, group, level, minutes, pace, genesis, binaries, steps, always, never, eventually, sometimes, vary, disturb',
      ],
    ],
    [
      "a message with a field that every object has",
      () =>
        file(
          "steps:",
          '  - tx: { from: val-0, msgs: [{ "@type": /chain.upgrade.v1beta1.MsgCancelUpgrade, authority: "${gov}", constructor: 1, __proto__: 2 }] }',
        ),
      [
        '4 steps[0].tx.msgs[0].constructor: unknown key "constructor"; MsgCancelUpgrade has authority',
        '4 steps[0].tx.msgs[0].__proto__: unknown key "__proto__"; MsgCancelUpgrade has authority',
      ],
    ],
    [
      "a field under both of its names",
      () =>
        file(
          "steps:",
          '  - pass: { title: x, messages: [{ "@type": /chain.gov.v1.MsgVote, proposal_id: 1, proposalId: 2 }] }',
        ),
      ["4 steps[0].pass.messages[0].proposalId: proposal_id is given twice"],
    ],
    [
      "names that no map may have",
      () =>
        file("genesis: { accounts: { __proto__: 5 } }", "binaries: { __proto__: {} }", "steps: []"),
      [
        '3 genesis.accounts.__proto__: expected another name than __proto__, found "__proto__"',
        '4 binaries.__proto__: expected another name than __proto__, found "__proto__"',
      ],
    ],
    [
      "a text of very many references",
      () =>
        file(
          "steps:",
          `  - tx: { from: val-0, msgs: [{ "@type": /chain.upgrade.v1beta1.MsgCancelUpgrade, authority: "${"${gov}".repeat(101)}" }] }`,
        ),
      ["4 steps[0].tx.msgs[0].authority: expected at most 100 references, found 101"],
    ],
    [
      "times out of the range of protobuf",
      () => file("genesis: { genesis_time: 0000-12-31T23:59:59Z }", "steps: []"),
      [
        '3 genesis.genesis_time: expected a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999, found "0000-12-31T23:59:59Z"',
      ],
    ],
    [
      "a time out of range by its offset",
      () => file("genesis: { genesis_time: 9999-12-31T23:59:59-01:00 }", "steps: []"),
      [
        '3 genesis.genesis_time: expected a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999, found "9999-12-31T23:59:59-01:00"',
      ],
    ],
    [
      "durations and decimals without end",
      () =>
        file(
          `genesis: { block_time: ${"9".repeat(9_999)}h, slashing: { slash_fraction_downtime: "0.${"1".repeat(9_999)}" } }`,
          "steps: []",
        ),
      [
        `3 genesis.block_time: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found "${"9".repeat(56)}…`,
        `3 genesis.slashing.slash_fraction_downtime: expected a decimal from 0 to 1 such as "0.05", found "0.${"1".repeat(54)}…`,
      ],
    ],
  ];

test.each(REFUSED)("%s is refused", (_, text, found) => {
  expect(problems(text())).toEqual(found);
});

test("of thousands of wrong steps the first fifty are listed and the others counted", () => {
  const found = problems(json({ steps: Array(10_000).fill({ run: -1 }) }));
  expect(found).toHaveLength(51);
  expect(found[0]).toMatch(/steps\[0\]\.run: expected a whole number/);
  expect(found[49]).toMatch(/steps\[49\]\.run: expected a whole number/);
  expect(found[50]).toMatch(/^1 : and 9950 more problems$/);
});

test("thousands of unknown message types are refused, the types listed in each line", () => {
  const tx = (i: number) => ({ tx: { from: "val-0", msgs: [{ "@type": `/x.y.Z${i}` }] } });
  const found = problems(json({ steps: lines(8_000, String).map((_, i) => tx(i)) }));
  expect(found).toHaveLength(51);
  expect(found[0]).toMatch(/unknown type "\/x\.y\.Z0"; the types are \/chain\./);
  expect(found[50]).toBe("1 : and 7950 more problems");
});

test("names that every object has are names like any other", () => {
  const context = contextOf(
    file(
      "genesis:",
      "  accounts: { constructor: 1000000000stake, toString: 1000000000stake, valueOf: 5stake }",
      "  validators:",
      "    - { name: hasOwnProperty, binary: constructor }",
      "    - { name: prototype, binary: constructor }",
      "binaries:",
      "  constructor: { modules: { toString: 2 } }",
      "  toString: { from: constructor, handlers: [valueOf], stores: { valueOf: { added: [isPrototypeOf] } }, modules: { isPrototypeOf: 1 } }",
      "steps: []",
    ),
  );
  const steps = [
    { run: 2 },
    {
      tx: {
        from: "constructor",
        msgs: [
          {
            "@type": "/chain.bank.v1beta1.MsgSend",
            from_address: "${constructor}",
            to_address: "${toString}",
            amount: [{ denom: "stake", amount: "7" }],
          },
        ],
      },
      as: "isPrototypeOf",
    },
    { upgrade: { name: "valueOf", at: 20 }, as: "propertyIsEnumerable" },
    { run: { until: "halted" } },
    { nodes: { which: "all", binary: "toString" } },
    { run: 2 },
    { expect: { node: "prototype", is: "running" } },
    {
      expect: {
        get: "/chain/bank/v1beta1/balances/${toString}",
        json: { balances: [{ amount: "1000000007" }] },
      },
    },
  ];
  for (const step of steps) expect(take(context, step)).toMatchObject({ message: "" });
  expect([...context.results.keys()]).toEqual(["isPrototypeOf", "propertyIsEnumerable"]);
});

test("an account without a validator has no tokens at stake", () => {
  const context = contextOf(file("genesis: { accounts: { alice: 5stake } }", "steps: []"));
  expect(take(context, { expect: { tokens: "alice", is: "0" } })).toMatchObject({ ok: true });
  expect(take(context, { expect: { tokens: "alice", is: "1" } })).toMatchObject({
    message: "expected alice to have 1 token, found no validator",
  });
});
