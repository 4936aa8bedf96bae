// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like template strings
import { describe, expect, test } from "vitest";
import { toHexUpper } from "../base/bytes.ts";
import { drain } from "../base/drain.ts";
import { createContext } from "./create-context.ts";
import { parseScenario, parseStep } from "./parse.ts";
import { runScenario } from "./report.ts";
import { runStep, type StepContext, type StepResult } from "./runner.ts";
import { contextOf, take } from "./testing.ts";

const V2 =
  "binaries: { v2: { modules: { bank: 5 }, handlers: [v2] }, v3: { modules: { oracle: 1 } } }";

/** A world of four equal validators and alice, and the results of these steps. */
function play(steps: string[], beginning = ""): { world: StepContext; results: StepResult[] } {
  const text = [
    "scenario: 1",
    "name: test",
    beginning || "genesis: { accounts: { alice: 1000000000stake } }",
    V2,
    steps.length > 0 ? "steps:" : "steps: []",
    ...steps.map((step) => `  - ${step}`),
  ].join("\n");
  const read = parseScenario(text, "test.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const world = createContext(read.scenario);
  const results = read.scenario.steps.map((step, index) => drain(runStep(world, step, index)));
  return { world, results };
}

const last = (steps: string[], beginning?: string): StepResult =>
  play(steps, beginning).results.at(-1) as StepResult;

/** Path and message of the last step's failure; undefined if it passed. */
function failure(steps: string[], beginning?: string): string | undefined {
  const { ok, path, message } = last(steps, beginning);
  return ok ? undefined : `${path}: ${message}`;
}

/** The chain halts for plan v2, and then every node has its binary. */
const SWITCHED = ["run: { until: halted }", "nodes: { which: all, binary: v2 }"];

const delegate = (amount: string, more = ""): string =>
  `tx: { from: alice, msgs: [{ "@type": /chain.staking.v1beta1.MsgDelegate, delegator_address: "\${alice}", validator_address: "\${val-1.valoper}", amount: { denom: stake, amount: "${amount}" } }]${more} }`;

describe("run", () => {
  test("a number of blocks, then to a height that may be past", () => {
    const { results } = play(["run: 3", "run: { to: 5 }", "run: { to: 4 }"]);
    expect(results.map(({ ok, height }) => [ok, height])).toEqual([
      [true, 3],
      [true, 5],
      [true, 5],
    ]);
  });

  test("for a simulated time: 90 seconds are 18 blocks of five", () => {
    expect(last(["run: 2", "run: { for: 90s }"]).height).toBe(20);
  });

  test("yields after every round, so that the caller can stay as long as it likes", () => {
    const { world } = play([]);
    const read = parseStep("run: 3", world);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const step = runStep(world, read.step, 0);
    expect(step.next()).toEqual({ done: false, value: undefined });
    expect(world.sim.height).toBe(1);
    expect(drain(step)).toEqual({ index: 0, verb: "run", ok: true, height: 3, message: "" });
  });

  test("until an event, in the block that has it", () => {
    expect(
      last(["run: 2", "double_sign: { node: val-2 }", "run: { until: { event: slash } }"]),
    ).toMatchObject({
      ok: true,
      height: 4,
      found: "val-2 was slashed",
    });
  });

  test.each([
    [[], "run: { until: { proposal: 1, is: decided } }", "proposal 1 is passed"],
    [[], "run: { until: { event: active_proposal } }", "voting on proposal 1 has ended"],
    [[], "run: { until: halted }", "the chain is halted"],
    [SWITCHED, "run: { until: running }", "the chain is running"],
    [SWITCHED, "run: { until: { plan_applied: v2 } }", "plan v2 was applied in block 30"],
  ])("after %j, %s says what was found: %s", (before, step, found) => {
    const upgrade = "upgrade: { name: v2, at: 30, build: true, until: voted }";
    expect(last([upgrade, ...before, step])?.found).toBe(found);
  });

  test("until something that does not come within its rounds", () => {
    expect(failure(["run: { until: halted, within: 4 }"])).toBe(
      "run.until: halted did not happen within 4 rounds; the chain is running at height 4",
    );
    expect(failure(["run: { until: { plan_applied: v2 }, within: 2 }"])).toBe(
      'run.until: applying plan "v2" did not happen within 2 rounds; the chain is running at height 2',
    );
  });

  test("blocks that cannot be made: the reason the chain is halted", () => {
    expect(failure(["run: 1", "nodes: { which: [val-0, val-1], stop: true }", "run: 1"])).toBe(
      "undefined: the chain is halted at block 2: 200 of 400 power votes, a block needs more than 2/3: 267 of 400; val-0, val-1: stopped by its operator",
    );
  });

  test("time passes for a chain that stands still already; one that comes to a halt on the way has failed", () => {
    const down = "nodes: { which: [val-0, val-1], stop: true }";
    expect(last(["run: 1", down, "run: { for: 60s }"])).toMatchObject({ ok: true, height: 1 });
    const halting = ["run: 1", "upgrade: { name: v3, at: 20 }", "run: { for: 60s }"];
    expect(failure(halting)).toContain("the chain is halted at block 20: 0 of 400");
    // Without the colon that would precede the plan's info.
    expect(failure(halting)).toMatch(/UPGRADE "v3" NEEDED at height: 20(;|$)/);
  });
});

describe("tx", () => {
  test("ends when the transaction is in a block", () => {
    expect(last(["run: 1", delegate("5")])).toMatchObject({ ok: true, height: 2 });
  });

  test("without waiting it is only queued", () => {
    const { world, results } = play([delegate("5000000", ", wait: false"), "run: 1"]);
    expect(results.map(({ height }) => height)).toEqual([0, 1]);
    expect(world.sim.block(1)?.txs).toHaveLength(1);
  });

  test("is expected to succeed unless something else is said", () => {
    expect(failure([delegate("9000000000000")])).toMatch(
      /^tx\.expect\.code: expected code 0, found 5 \(failed to execute message; message index: 0: .*insufficient funds\)$/,
    );
    expect(last([delegate("9000000000000", ", expect: { code: 5 }")]).ok).toBe(true);
    expect(last([delegate("9000000000000", ", expect: { log: insufficient funds }")]).ok).toBe(
      true,
    );
    expect(last([delegate("9000000000000", ", expect: { codespace: sdk }")]).ok).toBe(true);
  });

  test("says what it found instead", () => {
    expect(failure([delegate("5", ", expect: { code: 5 }")])).toBe(
      "tx.expect.code: expected code 5, found 0 (no log)",
    );
    expect(failure([delegate("9000000000000", ", expect: { codespace: bank }")])).toMatch(
      /^tx\.expect\.codespace: expected codespace "bank", found "sdk"/,
    );
    expect(failure([delegate("9000000000000", ", expect: { log: wrong }")])).toMatch(
      /^tx\.expect\.log: expected log "wrong", found ".*insufficient funds"$/,
    );
  });

  test("its result is its hash", () => {
    const { world } = play([`{ ${delegate("5")}, as: t }`]);
    const hash = world.sim.block(1)?.txs[0]?.hash as Uint8Array;
    expect(world.results.get("t")?.value).toBe(toHexUpper(hash));
  });
});

describe("governance", () => {
  const cancel = '[{ "@type": /chain.upgrade.v1beta1.MsgCancelUpgrade, authority: "${gov}" }]';

  test("propose, vote and wait, one by one", () => {
    const { world, results } = play([
      `{ propose: { from: alice, title: Stop, messages: ${cancel} }, as: p }`,
      "vote: { proposal: $p, option: no, by: [val-0, val-1] }",
      "vote: { proposal: $p, option: yes, by: [val-0, val-2, val-3] }",
      "run: { until: { proposal: $p, is: passed } }",
      'expect: { get: "/chain/gov/v1/proposals/$' +
        '{p}", json: { proposal: { final_tally_result: { yes_count: "300000000", no_count: "100000000" } } } }',
    ]);
    expect(results.map(({ message }) => message)).toEqual(["", "", "", "", ""]);
    expect(world.sim.height).toBe(13);
  });

  test("waiting for what a proposal cannot become any more ends at once", () => {
    expect(
      failure([
        `{ propose: { from: alice, title: Stop, messages: ${cancel} }, as: p }`,
        "vote: { proposal: $p, option: no }",
        "run: { until: { proposal: $p, is: passed } }",
      ]),
    ).toBe("run.until: proposal 1 is rejected, not passed");
  });

  test("a deposit below the least is refused with the chain's words", () => {
    expect(
      failure([`propose: { from: alice, title: Stop, messages: ${cancel}, deposit: 1stake }`]),
    ).toMatch(/^undefined: the transaction of alice failed with code 16 of codespace gov: /);
  });

  test("pass goes from the proposal to the end of voting", () => {
    expect(last([`pass: { title: Stop, messages: ${cancel} }`])).toMatchObject({
      ok: true,
      height: 13,
    });
  });

  test("an upgrade may be planned for a height that is only known as the scenario runs", () => {
    const { world } = play(["run: 19", 'upgrade: { name: v2, at: "${height}0" }']);
    const plan =
      'expect: { get: /chain/upgrade/v1beta1/current_plan, json: { plan: { height: "190" } } }';
    const step = parseStep(plan, world);
    if ("problems" in step) throw new Error(JSON.stringify(step.problems));
    expect(drain(runStep(world, step.step, 0)).message).toBe("");
  });
});

/** A gov v1beta1 proposal inside a v1 one. */
const content = (fields: string, more = ""): string =>
  `{ "@type": /cosmos.gov.v1.MsgExecLegacyContent, authority: "\${gov}", content: { ${fields} } }${more}`;
const upgradeContent = (height: number): string =>
  `"@type": /cosmos.upgrade.v1beta1.SoftwareUpgradeProposal, title: v2, description: d, plan: { name: v2, height: ${height} }`;
const proposed = (messages: string): string =>
  `propose: { from: alice, title: t, messages: [${messages}] }`;

describe("gov v1beta1", () => {
  test("a content is carried out like the message that has taken its place, and shown in the older form", () => {
    const votes = [0, 1, 2].map(
      (i) =>
        `tx: { from: val-${i}, msgs: [{ "@type": /cosmos.gov.v1beta1.MsgVoteWeighted, proposal_id: 1, voter: "\${val-${i}}", options: [{ option: VOTE_OPTION_YES, weight: "0.75" }, { option: VOTE_OPTION_ABSTAIN, weight: "0.25" }] }] }`,
    );
    const shown = (status: string, yes: string) =>
      `expect: { get: /cosmos/gov/v1beta1/proposals, json: { proposals: [{ proposal_id: "1", content: { ${upgradeContent(60).replace("60", '"60"')} }, status: ${status}, final_tally_result: { yes: "${yes}", no: "0" }, total_deposit: [{ denom: stake, amount: "10000000" }] }], pagination: { total: "1" } } }`;
    const steps = [
      proposed(content(upgradeContent(60))),
      shown("PROPOSAL_STATUS_VOTING_PERIOD", "0"),
      ...votes,
      `expect: { get: "/cosmos/gov/v1beta1/proposals/1/votes/\${val-0}", json: { vote: { option: VOTE_OPTION_UNSPECIFIED, options: [{ option: VOTE_OPTION_YES, weight: "0.750000000000000000" }, { option: VOTE_OPTION_ABSTAIN }] } } }`,
      `expect: { get: "/cosmos/gov/v1beta1/proposals/1/deposits/\${alice}", json: { deposit: { proposal_id: "1" } } }`,
      `expect: { get: /cosmos/gov/v1beta1/proposals/1/tally, json: { tally: { yes: "225000000", abstain: "75000000" } } }`,
      `expect: { get: /cosmos/gov/v1beta1/params/tallying, json: { tally_params: { quorum: "0.334000000000000000" }, voting_params: { voting_period: 0s } } }`,
      "run: { until: { proposal: 1, is: passed } }",
      shown("PROPOSAL_STATUS_PASSED", "225000000"),
      `expect: { get: /cosmos/upgrade/v1beta1/current_plan, json: { plan: { name: v2, height: "60" } } }`,
      proposed(
        content(
          '"@type": /cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal, title: no, description: d',
        ),
      ),
      "vote: { proposal: 2, option: yes }",
      "run: { until: { proposal: 2, is: passed } }",
      "expect: { get: /cosmos/upgrade/v1beta1/current_plan, json: { plan: null } }",
    ];
    const { results } = play(steps);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
  });

  test("the state is the same whichever root its types were sent under, at every depth", () => {
    const nested = `{ "@type": /cosmos.gov.v1.MsgSubmitProposal, proposer: "\${gov}", title: t, summary: s, messages: [${content(upgradeContent(60))}] }`;
    const [here, upstream] = ["chain", "cosmos"].map((root) => {
      const steps = [content(upgradeContent(60)), nested].map(proposed);
      const { world, results } = play(
        steps.map((step) => step.replaceAll("/cosmos.", `/${root}.`)),
      );
      expect(results.filter(({ ok }) => !ok)).toEqual([]);
      return toHexUpper(world.sim.appHash);
    });
    expect(here).toBe(upstream);
  });

  test("one of two messages has no older form, a text is one by itself", () => {
    const text = '"@type": /cosmos.gov.v1beta1.TextProposal, title: hello, description: world';
    const steps = [
      `tx: { from: alice, msgs: [{ "@type": /cosmos.gov.v1beta1.MsgSubmitProposal, proposer: "\${alice}", content: { ${text} }, initial_deposit: [{ denom: stake, amount: "10000000" }] }] }`,
      `expect: { get: /cosmos/gov/v1beta1/proposals/1, json: { proposal: { content: { ${text} } } } }`,
      `expect: { get: /cosmos/gov/v1/proposals/1, json: { proposal: { title: hello, summary: world } } }`,
      proposed(content(text, `, ${content(upgradeContent(90))}`)),
      `expect: { get: /cosmos/gov/v1beta1/proposals, status: 500, json: { code: 2, message: "codespace sdk code 29: invalid type: can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one" } }`,
    ];
    expect(play(steps).results.filter(({ ok }) => !ok)).toEqual([]);
  });

  test.each([
    ["of words alone", '"@type": /cosmos.gov.v1beta1.TextProposal', "", ""],
    [
      "in the past",
      upgradeContent(1),
      5,
      "failed to run legacy handler upgrade, upgrade cannot be scheduled in the past: invalid request: invalid proposal content: invalid proposal content",
    ],
    [
      "that is none",
      '"@type": /cosmos.upgrade.v1beta1.Plan, name: v2',
      5,
      "expected a proposal's content",
    ],
  ])("a content %s", (_, fields, code, log) => {
    const step = `tx: { from: alice, msgs: [{ "@type": /cosmos.gov.v1.MsgSubmitProposal, proposer: "\${alice}", title: t, summary: s, messages: [${content(fields)}], initial_deposit: [{ denom: stake, amount: "10000000" }] }], expect: { code: ${code || 0}, log: "${log}" } }`;
    expect(failure(["run: 3", step])).toBeUndefined();
  });
});

describe("misbehavior and double signs", () => {
  test("misbehavior waits for the next block; its evidence has a hash whether it is stored or not", () => {
    const { results } = play([
      "run: 3",
      "{ misbehavior: { type: duplicate_vote, validators: [val-2], height: 2 }, as: e }",
      'expect: { store: evidence, key: "00${e.evidence}", value: absent }',
      "run: 1",
      'expect: { store: evidence, key: "00${e.evidence}", value: present }',
      "{ misbehavior: { type: duplicate_vote, validators: [val-2], height: 3 }, as: f }",
      "run: 1",
      'expect: { store: evidence, key: "00${f.evidence}", value: absent }',
    ]);
    expect(results.map(({ message }) => message).join("")).toBe("");
    expect(results.map(({ height }) => height)).toEqual([3, 3, 3, 4, 4, 4, 5, 5]);
  });

  test("several in one block; power and time as given", () => {
    const { results } = play([
      "run: 3",
      'misbehavior: { type: light_client_attack, validators: [val-0, val-1], height: 2, time: "${time@2}", power: 50 }',
      "run: 1",
      'expect: { tokens: val-0, is: "97500000" }',
      "expect: { tokens: val-1, is: 97500000 }",
      "expect: { events: { type: slash, attributes: { reason: double_sign } }, count: 2, from: 4, to: 4 }",
    ]);
    expect(results.map(({ message }) => message).join("")).toBe("");
  });

  test("a kind that the app does not know is passed over", () => {
    const { results } = play([
      "run: 3",
      "misbehavior: { type: unknown, validators: [val-0], height: 2 }",
      "run: 1",
      'expect: { node: val-0, log: "ignored unknown evidence type: 0" }',
      'expect: { tokens: val-0, is: "100000000" }',
    ]);
    expect(results.map(({ message }) => message).join("")).toBe("");
  });

  test("evidence of a double sign means nothing before it is stored", () => {
    expect(
      failure([
        "run: 1",
        "{ double_sign: { node: val-1 }, as: d }",
        'expect: { store: evidence, key: "00${d.evidence}", value: present }',
      ]),
    ).toBe("undefined: no evidence against val-1 is stored yet");
  });
});

describe("verbs that act at once", () => {
  test("become commands as they are, and nothing else", () => {
    const { world, results } = play([
      "nodes: { which: [val-0], stage: v2 }",
      "nodes: { which: [val-0], sidecar: { mode: staged, restart_after_upgrade: false, restart_delay: 30s, shutdown_grace: 10s, shutdown_takes: 5s, poll_interval: 1m, must_have_checksum: true, backup: false, backup_dir: /mnt/backups, custom_pre_upgrade: preupgrade.sh, recase: false, pre_upgrade_max_retries: 2, pre_upgrade_exits: [31, 0] } }",
      "nodes: { which: [val-1], sidecar: { mode: manual } }",
      "nodes: { which: [val-1], skip_upgrades: [20, 30] }",
      "nodes: { which: [val-1], skip_upgrades: { heights: [20, 30], form: space } }",
      "nodes: { which: [val-1], halt_height: 90 }",
      "nodes: { which: [val-1], lose_signer_state: true }",
      "nodes: { which: [val-1], disk: { writable: false } }",
      'nodes: { which: [val-1], write_file: { path: data/note, content: "x" } }',
      "nodes: { which: [val-1], remove_file: data/note }",
      "nodes: { which: [val-2, val-3], stop: true }",
      "nodes: { which: [val-2], start: true }",
      "nodes: { which: [val-2], binary: v1 }",
      "partition: [[val-0, val-1], [val-2]]",
      "partition: heal",
      "fault: { node: val-0, kind: mute, at: 5, for: 2 }",
      "fault: { node: val-0, kind: clock, by: -10s }",
      "fault: { node: val-0, kind: flaky, probability: 0.5 }",
      "fault: { chaos: 2, for: 9 }",
      "fault: { clear: val-0 }",
      "fault: { clear: all }",
      "release: { name: v2, url: https://example.com/v2, serves: slow }",
      "double_sign: { node: val-2 }",
    ]);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const node = (name: string, action: object) => ({ type: "node", node: name, action });
    expect(world.sim.journal.map(({ command }) => command)).toEqual([
      node("val-0", { kind: "stage", binary: "v2" }),
      node("val-0", {
        kind: "sidecar",
        sidecar: {
          mode: "staged",
          restartAfterUpgrade: false,
          restartDelay: 30_000_000_000n,
          shutdownGrace: 10_000_000_000n,
          shutdownTakes: 5_000_000_000n,
          pollInterval: 60_000_000_000n,
          mustHaveChecksum: true,
          backup: false,
          backupDir: "/mnt/backups",
          customPreUpgrade: "preupgrade.sh",
          recase: false,
          preUpgradeMaxRetries: 2,
          preUpgradeExits: [31, 0],
        },
      }),
      node("val-1", { kind: "sidecar", sidecar: { mode: "manual" } }),
      node("val-1", { kind: "skip_upgrades", heights: [20, 30] }),
      node("val-1", { kind: "skip_upgrades", heights: [20, 30], form: "space" }),
      node("val-1", { kind: "halt_height", height: 90 }),
      node("val-1", { kind: "lose_signer_state" }),
      node("val-1", { kind: "disk", writable: false }),
      node("val-1", { kind: "write_file", path: "data/note", content: "x" }),
      node("val-1", { kind: "remove_file", path: "data/note" }),
      node("val-2", { kind: "stop" }),
      node("val-3", { kind: "stop" }),
      node("val-2", { kind: "start" }),
      node("val-2", { kind: "install", binary: "v1" }),
      { type: "partition", groups: [["val-0", "val-1"], ["val-2"]] },
      { type: "heal" },
      { type: "fault", node: "val-0", kind: "mute", at: 5, for: 2 },
      { type: "fault", node: "val-0", kind: "clock", by: -10_000_000_000n },
      { type: "fault", node: "val-0", kind: "flaky", probability: 0.5 },
      { type: "chaos", level: 2, for: 9 },
      { type: "clear_faults", node: "val-0" },
      { type: "clear_faults" },
      { type: "release", name: "v2", url: "https://example.com/v2", serves: "slow" },
      { type: "double_sign", node: "val-2" },
    ]);
    expect(world.sim.height).toBe(0);
  });
});

describe("what cannot be done", () => {
  test.each([
    [
      'misbehavior: { type: duplicate_vote, validators: [val-0], height: "9${height}" }',
      "undefined: there is no block 90 to take the time from; give a time",
    ],
  ])("%s", (step, message) => {
    expect(failure([step])).toBe(message);
  });
});

describe("expectations that are not met say what was found", () => {
  test.each([
    [
      "expect: { chain: halted }",
      "expect.chain: expected the chain to be halted, found: it is running",
    ],
    ["expect: { chain: running, height: 3 }", "expect.height: expected height 3, found 2"],
    [
      "expect: { node: val-0, is: stopped }",
      "expect.is: expected val-0 to be stopped, found running",
    ],
    [
      "expect: { node: val-0, log: hello }",
      'expect.log: expected "hello" in the log of val-0, found an empty log',
    ],
    [
      "expect: { disk: val-0, file: nothing.json }",
      "expect.file: expected nothing.json on the disk of val-0, found data/priv_validator_state.json",
    ],
    [
      'expect: { tokens: val-0, is: "1" }',
      "expect.is: expected val-0 to have 1 token, found 100000000",
    ],
    [
      "expect: { app_hash: diverged }",
      "expect.app_hash: expected app hashes diverged, found agreed: ",
    ],
    [
      'expect: { store: upgrade, key: "0262616e6b", value: absent }',
      "expect.value: store upgrade, key 0262616e6b: expected absent, found 0000000000000004",
    ],
    [
      'expect: { store: upgrade, key: "00", value: "01" }',
      "expect.value: store upgrade, key 00: expected 01, found nothing",
    ],
    [
      "expect: { events: { type: slash } }",
      "expect.count: expected at least 1 slash{} in blocks 1 to 2, found 0",
    ],
    [
      'expect: { events: { type: slash }, count: 0, to: "${height}0" }',
      "expect.to: there is no block 20 yet: the chain is at height 2",
    ],
    [
      "pass: { title: words, messages: [] }",
      "undefined: the transaction of val-0 failed with code 11 of codespace gov: failed to execute message; message index: 0: either metadata or Msgs length must be non-nil",
    ],
    [
      "expect: { get: /chain/nowhere }",
      'expect.status: GET /chain/nowhere: expected status 200, found 501 {"code":12,"message":"Not Implemented","details":[]}',
    ],
    [
      "expect: { get: /chain/evidence/v1beta1/evidence, json: { pagination: { total: 0 } } }",
      'expect.json.pagination.total: GET /chain/evidence/v1beta1/evidence: expected 0, found "0"',
    ],
  ])("%s", (step, message) => {
    expect(failure(["run: 2", step])?.slice(0, message.length)).toBe(message);
  });

  test("a store that only a coming binary has is none of the chain's yet", () => {
    const { results } = play(['expect: { store: oracle, key: "00", value: absent }']);
    expect(results.at(-1)?.message).toBe(
      "the chain has no store oracle at height 0: expected bank, evidence, gov, slashing, staking, upgrade",
    );
  });

  test("a proposal of words only needs metadata", () => {
    const words = "pass: { title: words, messages: [], metadata: more about it }";
    const { results } = play([words, "run: { until: { proposal: 1, is: passed } }"]);
    expect(results.map(({ message }) => message)).toEqual(["", ""]);
  });

  test("a query can be pinned to a height", () => {
    const pool = (tokens: string, height: string) =>
      `expect: { get: /chain/staking/v1beta1/pool, json: { pool: { bonded_tokens: "${tokens}" } }${height} }`;
    const { results } = play([
      "run: 2",
      delegate("5000000"),
      pool("405000000", ""),
      pool("400000000", ", height: 2"),
      "expect: { get: /chain/staking/v1beta1/pool, height: 99, status: 400 }",
    ]);
    expect(results.map(({ message }) => message).join("")).toBe("");
  });
});

describe("a single step", () => {
  test("is read against the names that the world knows now", () => {
    const { world } = play(["{ double_sign: { node: val-2 }, as: d }", "run: 2"]);
    expect(parseStep("double_sign: { node: val-7 }", world)).toEqual({
      problems: [
        {
          file: "step",
          path: "double_sign.node",
          line: 1,
          message: 'there is no node "val-7": expected val-0, val-1, val-2, val-3',
        },
      ],
    });
    const step = parseStep(
      '{"expect": {"store": "evidence", "key": "00${d.evidence}", "value": "present"}}',
      world,
    );
    if ("problems" in step) throw new Error(JSON.stringify(step.problems));
    expect(drain(runStep(world, step.step, 0)).message).toBe("");
  });
});

describe("a step from a form, which is JSON", () => {
  const { world } = play([]);
  const message = (step: string): string | undefined => {
    const read = parseStep(step, world);
    return "problems" in read ? read.problems[0]?.message : undefined;
  };

  test("is refused without the words of files", () => {
    expect(message('{"run": {"to": "abc"}}')).toBe(
      'expected a whole number from 1 to 1000000000, found "abc"',
    );
    expect(message('{"run": {"to": ""}}')).toBe(
      "expected a whole number from 1 to 1000000000, found nothing",
    );
    expect(message("run: { to: abc }")).toContain("or a reference such as $p");
  });
});

describe("a whole scenario", () => {
  test("stops after the first step that fails", () => {
    const read = parseScenario(
      "scenario: 1\nname: test\nsteps:\n  - run: 1\n  - expect: { chain: halted }\n  - run: 1\n",
      "f.yaml",
    );
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const report = runScenario(read.scenario, { file: "f.yaml" });
    expect(report).toMatchObject({
      file: "f.yaml",
      name: "test",
      seed: 1,
      ok: false,
      height: 1,
      time: "2026-01-01T00:00:00Z",
    });
    expect(report.app_hash).toMatch(/^[0-9A-F]{64}$/);
    expect(report.steps.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test("tells the decisions behind its steps if asked", () => {
    const read = parseScenario(
      "scenario: 1\nname: test\nsteps:\n  - double_sign: { node: val-1 }\n  - run: 2\n",
      "f.yaml",
    );
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const [, run] = runScenario(read.scenario, { file: "f.yaml", explain: true }).steps;
    expect(run?.explanation?.join("\n")).toContain("evidence: tombstoned: no (ok)");
  });
});

test("simulated time that would pass the last moment of the year 9999 ends there, with the chain's reason", () => {
  const context = contextOf(
    'scenario: 1\nname: last\ngenesis: { genesis_time: "9999-12-31T23:59:40Z" }\nsteps: []',
  );
  expect(take(context, { run: { for: "1h" } })).toMatchObject({
    ok: false,
    message: expect.stringContaining("the chain is halted at block 4"),
  });
  expect(take(context, { run: { for: "1h" } }).ok).toBe(true);
});
