// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like template strings
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR, SECOND } from "../base/time.ts";
import { ParamsSchema as GovParams } from "../gen/chain/gov/v1/gov_pb.ts";
import { ParamsSchema as SlashingParams } from "../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { ParamsSchema as StakingParams } from "../gen/chain/staking/v1beta1/staking_pb.ts";
import { messageToJson } from "../view/json.ts";
import { parseScenario } from "./parse.ts";
import type { Scenario } from "./scenario.ts";

/** A file with these lines after its first two. */
const file = (...lines: string[]): string => ["scenario: 1", "name: test", ...lines].join("\n");

/** A file with these steps in the default world. */
const withSteps = (...steps: string[]): string =>
  file(
    "genesis: { accounts: { alice: 1000000000stake } }",
    "steps:",
    ...steps.map((s) => `  - ${s}`),
  );

/** Line of the n-th step of `withSteps`. */
const STEP_LINE = 5;

function faults(text: string): string[] {
  const read = parseScenario(text, "file.yaml");
  if ("scenario" in read) return [];
  return read.problems.map(({ file: name, path, line, message }) => {
    expect(name).toBe("file.yaml");
    return `${line} ${path}: ${message}`;
  });
}

function scenario(text: string): Scenario {
  const read = parseScenario(text, "file.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return read.scenario;
}

describe("defaults", () => {
  test("a file without genesis begins as the format document says", () => {
    const { spec, title, about, steps } = scenario(file("steps: []"));
    expect({ title, about, steps }).toEqual({ title: "test", about: "", steps: [] });
    expect(spec).toMatchObject({
      seed: 1,
      chainId: "lab-1",
      profile: "documented",
      blockTime: 5n * SECOND,
      maxEvidenceAge: 48n * HOUR,
      maxEvidenceAgeBlocks: 100_000,
      evidenceRoutes: ["equivocation", "counterfactual"],
      commits: "compact",
      safetyDelta: 60n * SECOND,
      accounts: [],
    });
    expect(messageToJson(SlashingParams, spec.slashing)).toEqual({
      signed_blocks_window: "100",
      min_signed_per_window: "0.500000000000000000",
      downtime_jail_duration: "600s",
      slash_fraction_double_sign: "0.050000000000000000",
      slash_fraction_downtime: "0.010000000000000000",
    });
    expect(messageToJson(StakingParams, spec.staking)).toEqual({
      unbonding_time: "1814400s",
      max_validators: 100,
      max_entries: 7,
      historical_entries: 0,
      bond_denom: "stake",
      min_commission_rate: "0.000000000000000000",
    });
    expect(messageToJson(GovParams, spec.gov)).toEqual({
      min_deposit: [{ denom: "stake", amount: "10000000" }],
      max_deposit_period: "172800s",
      voting_period: "60s",
      quorum: "0.334000000000000000",
      threshold: "0.500000000000000000",
      veto_threshold: "0.334000000000000000",
      min_initial_deposit_ratio: "0.000000000000000000",
      proposal_cancel_ratio: "0.500000000000000000",
      proposal_cancel_dest: "",
      expedited_voting_period: "30s",
      expedited_threshold: "0.667000000000000000",
      expedited_min_deposit: [{ denom: "stake", amount: "50000000" }],
      burn_vote_quorum: false,
      burn_proposal_deposit_prevote: false,
      burn_vote_veto: true,
      min_deposit_ratio: "0.010000000000000000",
    });
    expect(spec.validators).toEqual(
      ["val-0", "val-1", "val-2", "val-3"].map((name) => ({
        name,
        stake: 100_000_000n,
        binary: "v1",
      })),
    );
  });

  test("JSON is read like YAML", () => {
    const { steps } = scenario(
      '{"scenario": 1, "name": "test", "steps": [{"run": {"for": "90s"}}]}',
    );
    expect(steps).toEqual([{ verb: "run", text: "runs for 90s", action: expect.anything() }]);
  });
});

describe("binaries", () => {
  test("inherit, then override; null takes a module out", () => {
    const { spec } = scenario(
      file(
        "binaries:",
        "  v3: { from: v2, modules: { mint: 2, oracle: null } }",
        "  v2:",
        "    from: v1",
        "    modules: { bank: 5, oracle: 1 }",
        "    handlers: [v2]",
        "    stores: { v2: { added: [oracle] } }",
        "    migration: { error: out of luck }",
        "steps: []",
      ),
    );
    const [v1, ...others] = spec.binaries;
    const v2 = others.find(({ name }) => name === "v2");
    const v3 = others.find(({ name }) => name === "v3");
    expect(v1?.name).toBe("v1");
    expect(v2).toEqual({
      name: "v2",
      modules: { ...v1?.modules, bank: 5, oracle: 1 },
      handlers: ["v2"],
      stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
      migration: { kind: "error", text: "out of luck" },
    });
    const { oracle, ...rest } = v2?.modules ?? {};
    expect(oracle).toBe(1);
    expect(v3).toEqual({ ...v2, name: "v3", modules: { ...rest, mint: 2 } });
  });

  test.each([
    ["  v2: { from: v3 }", 'binaries.v2.from: there is no binary "v3": expected v1, v2'],
    ["  v1: { modules: {} }", "binaries.v1: v1 is built in: expected another name"],
    [
      "  v2: { modules: { staking: null } }",
      "binaries.v2.modules.staking: every chain here needs staking: expected a version",
    ],
    [
      "  v2: { modules: { __proto__: 1 } }",
      'binaries.v2.modules.__proto__: expected another name than __proto__, found "__proto__"',
    ],
    [
      "  v2: { from: constructor }",
      'binaries.v2.from: there is no binary "constructor": expected v1, v2',
    ],
    ["  v2: { from: v2 }", "binaries.v2.from: v2 inherits from v2: expected no circle"],
    [
      "  v2: { migration: perhaps }",
      'binaries.v2.migration: expected one of ok, error, panic, nondeterministic, found "perhaps"',
    ],
  ])("%s is refused", (line, message) => {
    expect(faults(file("binaries:", line, "steps: []"))).toEqual([`4 ${message}`]);
  });
});

describe("YAML that cannot be read", () => {
  test("a syntax error names its line", () => {
    const [first] = faults(file("steps:", "  - run: [1", "  - run: 2"));
    expect(first).toMatch(/^[567] : expected YAML: /);
  });

  test("a path within braces needs quotes, which is said once", () => {
    const source = file("steps: [{ run: 1 }]", "vary:", "  - { at: steps[0].run, range: [1, 3] }");
    expect(faults(source)).toEqual([
      "5 : expected YAML: expected quotes around a text with [ in it",
    ]);
  });

  test("a key given twice is a fault", () => {
    expect(faults(file("seed: 1", "seed: 2", "steps: []"))).toEqual([
      '4 : expected every key once, found "seed" again',
    ]);
  });

  test("an alias bomb is refused", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 0; i < 8; i++) {
      const [name, previous] = ["bcdefghi"[i], "abcdefgh"[i]];
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${previous}`).join(", ")}]`);
    }
    expect(faults(bomb.join("\n"))).toEqual(["5 : expected at most 50000 values"]);
  });

  test("a file too long or nested too deeply is refused before it is read", () => {
    expect(faults(`${file("steps: []")}${" ".repeat(2_000_001)}`)[0]).toMatch(
      /^1 : expected at most 2000000 characters/,
    );
    expect(faults(`a: ${"[".repeat(100_000)}`)).toEqual([
      "1 : expected at most 64 levels of lists and maps",
    ]);
    expect(faults(`a:\n${"- ".repeat(100_000)}`)).toEqual([
      "2 : expected at most 64 levels of lists and maps",
    ]);
    expect(faults("? ".repeat(100_000))).toEqual([
      "1 : expected at most 64 levels of lists and maps",
    ]);
    const stairs = Array.from({ length: 1_500 }, (_, depth) => `${" ".repeat(depth)}a:`);
    expect(faults(stairs.join("\n"))).toEqual([
      "130 : expected at most 64 levels of lists and maps",
    ]);
  });

  test("rules of dashes in comments and texts are no nesting", () => {
    const rule = "-".repeat(300);
    expect(
      faults(file(`# ${rule} [[[`, "about: |", `  ${rule}`, `  ${"[".repeat(99)}`, "steps: []")),
    ).toEqual([]);
  });

  test("whatever the text is, reading it ends in faults or a scenario and never throws", () => {
    const word = fc.constantFrom(
      ...[
        "steps:",
        "- ",
        "run: ",
        "{",
        "}",
        "[",
        "]",
        "\n",
        "  ",
        "$p",
        "${",
        "*a",
        "&a ",
        "!!map ",
        "5",
        "'",
        '"',
        "? ",
        ": ",
        "| ",
        "genesis: ",
        "validators: ",
        "expect: ",
        "get: ",
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 3 }))), (words) => {
        parseScenario(file(words.join("")), "file.yaml");
        parseScenario(words.join(""), "file.yaml");
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (genesis, steps) => {
        const text = JSON.stringify({
          scenario: 1,
          name: "x",
          genesis,
          steps: [steps, { run: steps }, { expect: steps }, { nodes: steps }],
        });
        expect(faults(text)).not.toEqual([]);
      }),
    );
  });

  test("an empty file, a list and two documents are no scenarios", () => {
    expect(faults("")[0]).toMatch(/^1 : expected a map with scenario, name/);
    expect(faults("- run: 1")).toEqual(["1 : expected a map, found a list"]);
    expect(faults("scenario: 1\n---\nname: x")[0]).toMatch(/^\d : expected YAML: /);
  });
});

describe("a beginning that is not sound", () => {
  test.each([
    [
      "genesis: { validators: 1000000000 }",
      "genesis.validators: expected a whole number from 1 to 10000, found 1000000000",
    ],
    [
      "genesis: { validators: four }",
      'genesis.validators: expected a whole number from 1 to 10000, found "four"',
    ],
    [
      "genesis: { validators: [] }",
      "genesis.validators: expected at least one validator, found an empty list",
    ],
    [
      "genesis: { validators: [{ name: a, stake: -5 }] }",
      "genesis.validators[0].stake: expected an amount, a whole number from 1 to 9000000000000000000000, found -5",
    ],
    [
      "genesis: { validators: [{ name: a, stake: 99999999999999999999999 }] }",
      'genesis.validators[0].stake: expected an amount, a whole number from 1 to 9000000000000000000000, found "99999999999999999999999"',
    ],
    [
      'genesis: { validators: [{ name: a, stake: "9000000000000000000000" }] }',
      "genesis: expected a supply of at most 9000000000000000000000, found 9000000000001000000000",
    ],
    [
      "genesis: { validators: [{ name: a, stake: 5 }] }",
      "genesis.validators: expected a validator with a stake of at least 1000000",
    ],
    [
      "genesis: { validators: [{ name: a }, { name: a }] }",
      'genesis.validators[1].name: the name "a" is taken: expected another one',
    ],
    [
      "genesis: { accounts: { val-0: 5stake } }",
      'genesis.validators[0].name: the name "val-0" is taken: expected another one',
    ],
    [
      "genesis: { accounts: { gov: 5stake } }",
      'genesis.accounts.gov: the name "gov" is taken: expected another one',
    ],
    [
      "genesis: { validators: [{ name: a, binary: v9 }] }",
      'genesis.validators[0].binary: there is no binary "v9": expected v1',
    ],
    [
      "genesis: { block_time: 5 }",
      "genesis.block_time: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found 5",
    ],
    [
      "genesis: { block_time: 0s }",
      'genesis.block_time: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found "0s"',
    ],
    [
      "genesis: { block_time: 876000h1ns }",
      'genesis.block_time: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found "876000h1ns"',
    ],
    [
      "genesis: { genesis_time: 2026-02-30T00:00:00Z }",
      'genesis.genesis_time: expected a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999, found "2026-02-30T00:00:00Z"',
    ],
    [
      'genesis: { slashing: { slash_fraction_double_sign: "1.5" } }',
      'genesis.slashing.slash_fraction_double_sign: expected a decimal from 0 to 1 such as "0.05", found "1.5"',
    ],
    [
      "genesis: { accounts: { alice: 1000 } }",
      "genesis.accounts.alice: expected an amount with its denom such as 10000000stake, found 1000",
    ],
    [
      "genesis: { accounts: { alice: 1000atom } }",
      "genesis.accounts.alice: expected an amount of stake, found atom",
    ],
    [
      "genesis: { profile: latest }",
      'genesis.profile: expected one of documented, sdk-0.53, found "latest"',
    ],
    [
      "genesis: { gov: { expedited_voting_period: 60s } }",
      "genesis.gov.expedited_voting_period: expected an expedited voting period shorter than the voting period",
    ],
    [
      "genesis: { gov: { voting_period: 1ns } }",
      "genesis.gov.voting_period: expected at least 2ns, so that an expedited one is shorter",
    ],
    ["genesis: { gov: { threshold: 0 } }", "genesis.gov.threshold: expected more than 0"],
    ["genesis: { gov: { veto_threshold: 0 } }", "genesis.gov.veto_threshold: expected more than 0"],
    [
      "genesis: { gov: { threshold: 0.667 } }",
      "genesis.gov.expedited_threshold: expected more than the threshold",
    ],
    [
      "genesis: { gov: { min_deposit: 0stake, expedited_min_deposit: 1stake } }",
      "genesis.gov.min_deposit: expected more than 0",
    ],
    [
      "genesis: { gov: { proposal_cancel_dest: alice } }",
      "genesis.gov.proposal_cancel_dest: expected an account's address",
    ],
    [
      "genesis: { evidence_types: [a], evidence_routes: [a, a] }",
      "genesis.evidence_routes: expected every route once",
    ],
    [
      "genesis: { evidence_types: [a], evidence_routes: [b] }",
      "genesis.evidence_routes[0]: there is no evidence type b; there are equivocation, counterfactual, scripted, a",
    ],
    ["minutes: 0", "minutes: expected a number from 0.1 to 600, found 0"],
    ["minutes: 601", "minutes: expected a number from 0.1 to 600, found 601"],
    ["minutes: long", 'minutes: expected a number from 0.1 to 600, found "long"'],
    ["seed: -1", "seed: expected a whole number from 0 to 4294967295, found -1"],
    [
      "colour: red",
      'colour: unknown key "colour", expected a map with scenario, name, title, about, seed, group, level, minutes, pace, genesis, binaries, steps, always, never, eventually, sometimes, vary, disturb',
    ],
  ])("%s", (line, message) => {
    expect(faults(file(line, "steps: []"))).toEqual([`3 ${message}`]);
  });

  test("what is missing is named where it should be", () => {
    expect(faults("scenario: 2\nname: Not A Name")).toEqual([
      "1 scenario: expected 1, the version of the format, found 2",
      '1 : missing key "steps", expected a map with scenario, name, title, about, seed, group, level, minutes, pace, genesis, binaries, steps, always, never, eventually, sometimes, vary, disturb',
      '2 name: expected a name of small letters, digits, -, _ and ., found "Not A Name"',
    ]);
  });
});

describe("steps that are not sound", () => {
  test.each([
    [
      "run: { to: soon }",
      'run.to: expected a whole number from 1 to 1000000000, or a reference such as $p, found "soon"',
    ],
    ["run: 0", "run: expected a whole number from 1 to 10000000, found 0"],
    ["run: 2.5", "run: expected a whole number from 1 to 10000000, found 2.5"],
    [
      "run: [1]",
      "run: expected a number of blocks or a map with to, rounds, for or until, found a list",
    ],
    [
      "run: {}",
      "run: expected a number of blocks or a map with to, rounds, for or until, found a map",
    ],
    ["run: { to: 5, for: 5s }", 'run.for: unknown key "for", expected a map with to'],
    [
      "run: { for: five }",
      'run.for: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found "five"',
    ],
    ["run: { until: asleep }", 'run.until: expected one of halted, running, found "asleep"'],
    [
      "run: { until: { proposal: $p, is: passed } }",
      'run.until.proposal: there is nothing called "p" at this step: expected height, time, gov, alice, val-0, val-1, val-2, val-3',
    ],
    [
      "walk: 5",
      'walk: unknown key "walk", expected one of run, tx, propose, vote, pass, upgrade, misbehavior, double_sign, light_client_attack, nodes, partition, fault, release, expect and beside it note, as, show and off',
    ],
    [
      "{ run: 5, vote: { proposal: 1, option: yes } }",
      ": expected one verb in a step, found run and vote",
    ],
    [
      "note: only this",
      ": expected a verb, one of run, tx, propose, vote, pass, upgrade, misbehavior, double_sign, light_client_attack, nodes, partition, fault, release, expect",
    ],
    [
      "5",
      ": expected a map with one of run, tx, propose, vote, pass, upgrade, misbehavior, double_sign, light_client_attack, nodes, partition, fault, release, expect, found 5",
    ],
    ["{ run: 5, note: 7 }", "note: expected text, found 7"],
    ["{ run: 5, as: r }", "as: run has no result to name"],
    [
      "double_sign: { node: val-9 }",
      'double_sign.node: there is no node "val-9": expected val-0, val-1, val-2, val-3',
    ],
    [
      "tx: { from: bob, msgs: [{ '@type': /chain.slashing.v1beta1.MsgUnjail }] }",
      'tx.from: there is no account "bob": expected alice, val-0, val-1, val-2, val-3',
    ],
    [
      "tx: { from: alice, msgs: [] }",
      "tx.msgs: expected at least one message, found an empty list",
    ],
    [
      "tx: { from: alice, msgs: [{ voter: x }] }",
      'tx.msgs[0]: missing key "@type", expected a message, a map with @type',
    ],
    [
      'tx: { from: alice, msgs: [{ "@type": /chain.gov.v1.MsgVote, voters: x }] }',
      'tx.msgs[0].voters: unknown key "voters"; MsgVote has proposal_id, voter, option, metadata',
    ],
    [
      'tx: { from: alice, msgs: [{ "@type": /chain.gov.v1.MsgVote, voter: "${carol}" }] }',
      'tx.msgs[0].voter: there is nothing called "carol" at this step: expected height, time, gov, alice, val-0, val-1, val-2, val-3',
    ],
    [
      'tx: { from: alice, msgs: [{ "@type": /chain.gov.v1.MsgVote, voter: "${alice.valcons}" }] }',
      'tx.msgs[0].voter: there is no validator "alice"',
    ],
    [
      'tx: { from: alice, msgs: [{ "@type": /chain.gov.v1.MsgVote, voter: "${alice" }] }',
      'tx.msgs[0].voter: expected a closing "}" after "${"',
    ],
    [
      "propose: { from: alice, title: x, messages: [{ '@type': /chain.upgrade.v1beta1.MsgCancelUpgrade }], deposit: 5atom }",
      "propose.deposit: expected an amount of stake, the chain's denom, found atom",
    ],
    [
      "vote: { proposal: 1, option: maybe }",
      'vote.option: expected one of yes, no, abstain, no_with_veto, found "maybe"',
    ],
    [
      "vote: { proposal: 1, option: yes, by: [bob] }",
      'vote.by[0]: there is no account "bob": expected alice, val-0, val-1, val-2, val-3',
    ],
    [
      "upgrade: { name: v2 }",
      'upgrade: missing key "at", expected a map with name, at, info, build, expedited, until, validate_info',
    ],
    [
      "upgrade: { name: v2, at: 9, validate_info: false }",
      "upgrade.validate_info: expected true or a map with checksum_required, daemon_name or refused, found false",
    ],
    [
      "upgrade: { name: v2, at: 9, validate_info: { checksum: false } }",
      'upgrade.validate_info.checksum: unknown key "checksum", expected a map with checksum_required, daemon_name, refused',
    ],
    [
      "propose: { from: alice, title: x, messages: [{ '@type': /chain.upgrade.v1beta1.MsgCancelUpgrade }], validate_info: true }",
      "propose.validate_info: expected a MsgSoftwareUpgrade whose info can be checked",
    ],
    ["upgrade: { cancel: false }", "upgrade.cancel: expected true, found false"],
    [
      "misbehavior: { type: theft, validators: [val-0], height: 1 }",
      'misbehavior.type: expected one of duplicate_vote, light_client_attack, unknown, found "theft"',
    ],
    [
      "nodes: { which: all }",
      "nodes: expected exactly one of stop, start, binary, stage, sidecar, skip_upgrades, halt_time, halt_height, twin, lose_signer_state, roll_back, state_sync, wipe, disk, write_file, remove_file; halt_time may stand beside halt_height, found a map",
    ],
    [
      'nodes: { which: all, halt_time: "2026-01-01T00:01:30" }',
      'nodes.halt_time: expected 0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z, found "2026-01-01T00:01:30"',
    ],
    [
      'nodes: { which: all, halt_time: "2026-01-01T00:01:30+25:00" }',
      'nodes.halt_time: expected 0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z, found "2026-01-01T00:01:30+25:00"',
    ],
    [
      'nodes: { which: all, halt_time: "2026-01-01T00:01:30.5Z" }',
      'nodes.halt_time: expected 0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z, found "2026-01-01T00:01:30.5Z"',
    ],
    [
      'nodes: { which: all, halt_time: "1960-01-01T00:00:00Z" }',
      'nodes.halt_time: expected 0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z, found "1960-01-01T00:00:00Z"',
    ],
    [
      'nodes: { which: all, halt_time: "soon" }',
      'nodes.halt_time: expected 0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z, found "soon"',
    ],
    [
      "nodes: { which: all, halt_height: 9, halt_time: 1767225690 }",
      "nodes.halt_time: expected 0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z, found 1767225690",
    ],
    [
      "nodes: { which: all, sidecar: { mode: staged, restart_delay: 30 } }",
      "nodes.sidecar.restart_delay: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found 30",
    ],
    [
      "nodes: { which: all, sidecar: { mode: staged, poll_interval: 0s } }",
      'nodes.sidecar.poll_interval: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found "0s"',
    ],
    [
      "nodes: { which: all, sidecar: { mode: staged, shutdown_grace: -1s } }",
      'nodes.sidecar.shutdown_grace: expected a duration such as 5s or 48h, above 0 and at most 876000h (100 years), found "-1s"',
    ],
    [
      "nodes: { which: all, sidecar: { mode: staged, backup_dir: backups } }",
      'nodes.sidecar.backup_dir: expected an absolute path such as /mnt/backups, found "backups"',
    ],
    [
      "nodes: { which: all, sidecar: { mode: staged, custom_pre_upgrade: bin/check.sh } }",
      'nodes.sidecar.custom_pre_upgrade: expected the name of a file in cosmovisor/, such as preupgrade.sh, found "bin/check.sh"',
    ],
    [
      "nodes: { which: all, sidecar: { mode: staged, recase: no thanks } }",
      'nodes.sidecar.recase: expected true or false, found "no thanks"',
    ],
    ["nodes: { which: all, binary: v7 }", 'nodes.binary: there is no binary "v7": expected v1'],
    [
      "nodes: { which: [val-7], stop: true }",
      'nodes.which[0]: there is no node "val-7": expected val-0, val-1, val-2, val-3',
    ],
    ["partition: [[val-0], [val-0]]", "partition[1][0]: val-0 is in two groups"],
    ["partition: whole", 'partition: expected one of heal, found "whole"'],
    [
      "expect: { weather: fine }",
      "expect: expected a map with one of get, chain, node, disk, events, store, app_hash, tokens, advice, found a map",
    ],
    ["expect: { get: chain }", 'expect.get: expected a path that begins with /, found "chain"'],
    ["expect: { tokens: val-0 }", 'expect: missing key "is", expected a map with tokens, is'],
    [
      "expect: { store: bank, key: xyz, value: present }",
      'expect.key: expected bytes in hex, found "xyz"',
    ],
    [
      'expect: { store: bank, key: "0x${alice}", value: present }',
      'expect.key: expected bytes in hex, found "0x${alice}"',
    ],
    [
      "expect: { store: evidnce, key: '00', value: absent }",
      'expect.store: there is no store "evidnce": expected bank, evidence, gov, slashing, staking, upgrade',
    ],
    [
      "expect: { events: { type: slash }, count: 0, from: 5 }",
      "expect.from: there is no block 5 yet: the chain is at height 0",
    ],
    [
      "misbehavior: { type: duplicate_vote, validators: [val-0], height: 5 }",
      "misbehavior.height: there is no block 5 yet: the chain is at height 0",
    ],
    [
      "expect: { get: '/x/${time@99}' }",
      "expect.get: there is no block 99 yet: the chain is at height 0",
    ],
    [
      "expect: { chain: halted, height: high }",
      'expect.height: expected a whole number from 0 to 1000000000, or a reference such as $p, found "high"',
    ],
    [
      "expect: { node: val-8, is: running }",
      'expect.node: there is no node "val-8": expected val-0, val-1, val-2, val-3',
    ],
  ])("%s", (step, message) => {
    const path = message.startsWith(":") || message.startsWith("[") ? "" : ".";
    expect(faults(withSteps(step))).toEqual([`${STEP_LINE} steps[0]${path}${message}`]);
  });

  test("a result counts only after its step, has one owner, and only evidence where there is any", () => {
    const double = "{ double_sign: { node: val-0 }, as: e1 }";
    expect(
      faults(
        withSteps(
          "expect: { get: '/x/${e1.evidence}' }",
          double,
          "expect: { get: '/x/${e1.evidence}' }",
          "expect: { get: '/x/${e1}' }",
          double,
          "{ double_sign: { node: val-0 }, as: alice }",
        ),
      ),
    ).toEqual([
      '5 steps[0].expect.get: there is no earlier step called "e1" that brings evidence',
      "8 steps[3].expect.get: step e1 gives evidence only; write ${e1.evidence}",
      '9 steps[4].as: the name "e1" is taken: expected another one',
      '10 steps[5].as: the name "alice" is taken: expected another one',
    ]);
  });

  test("all faults of a file are told at once, in the order of its lines", () => {
    expect(
      faults(
        file(
          "colour: red",
          "genesis: { accounts: { alice: 1stake } }",
          "steps:",
          "  - run: none",
          "  - double_sign:",
          "      node: nobody",
        ),
      ).map((fault) => fault.split(":")[0]),
    ).toEqual(["3 colour", "6 steps[0].run", "8 steps[1].double_sign.node"]);
  });

  test("with an unsound beginning the forms of steps are still checked, but not their names", () => {
    const text = file(
      "genesis: { denom: 7 }",
      "steps:",
      "  - run: none",
      "  - double_sign: { node: x }",
    );
    expect(faults(text).map((fault) => fault.split(":")[0])).toEqual([
      "3 genesis.denom",
      "5 steps[0].run",
    ]);
  });
});
