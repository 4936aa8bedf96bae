import type { FamilyFile } from "./search.ts";

export const fileOf = (text: string): FamilyFile => ({ file: "family.yaml", text, imports: {} });

/** A family in which val-2 double-signs in some of the cases; the rest is irrelevant. */
export const DOUBLE_SIGN = fileOf(`
scenario: 1
name: operators
title: Two operators and their luck
genesis: { validators: 4, block_time: 2s }
never:
  - { name: slashed for signing twice, events: { type: slash, attributes: { reason: double_sign } } }
sometimes:
  - { name: val-0 is down, node: val-0, is: stopped }
  - { name: halted by a plan, chain: halted, because: UPGRADE }
vary:
  - { at: "steps[2].fault.kind", one_of: [crash, slow, mute, double_sign] }
  - { at: "steps[3].run", range: [1, 8] }
  - { at: genesis.block_time, one_of: [2s, 5s] }
steps:
  - run: 3
  - nodes: { which: [val-0], stop: true }
  - fault: { node: val-2, kind: crash, for: 2 }
    note: Something happens to val-2.
  - run: 8
  - nodes: { which: [val-0], start: true }
  - run: 4
`);

/** A family with fast cases: in some of them the only node is stopped. */
export const STOPPED = fileOf(`
scenario: 1
name: stopped
genesis: { validators: 1 }
never: [{ name: val-0 is stopped, node: val-0, is: stopped }, { name: at height 2, chain: running, height: 2 }]
sometimes: [{ name: two chains, chain: running, forks: 1 }, { name: first block, chain: running, height: 1 }]
vary:
  - { steps: [0], may: left_out }
  - { at: "steps[1].run.rounds", range: [1, 2] }
steps:
  - nodes: { which: [val-0], stop: true }
  - run: { rounds: 1 }
`);

/**
 * A family in which a step fails in some of the cases: the chain is halted. It has more cases than
 * are counted.
 */
export const STANDING = (properties: string) =>
  fileOf(`
scenario: 1
name: standing
genesis: { validators: 4 }
${properties}
vary:
  - { at: "steps[0].nodes.which", one_of: [[val-0], [val-0, val-1]] }
  - { at: seed, range: [1, 2000000] }
steps:
  - nodes: { which: [val-0], stop: true }
  - run: 2
`);
