import { expect, test } from "vitest";
import { consAddress, valAddress } from "../../../base/bech32.ts";
import { HOUR, SECOND } from "../../../base/time.ts";
import { testAddress } from "../../framework/testing.ts";
import { textOfStep } from "../../framework/trace.ts";
import { EVIDENCE_TEXTS } from "./step-texts.ts";
import type { EvidenceSteps } from "./steps.ts";

const VAL = testAddress("val");
const cons = consAddress(VAL);
const oper = valAddress(VAL);
const hash = Uint8Array.of(0xab, 0x01);
const facts = { address: VAL, height: 8 };

/** Expected texts of every kind, for each outcome. */
const SAID: {
  readonly [Kind in keyof EvidenceSteps]: readonly (readonly [
    EvidenceSteps[Kind],
    what: string,
    found: string,
  ])[];
} = {
  misbehavior: [
    [
      { type: 1, ...facts, power: 5 },
      "misbehavior",
      `DuplicateVoteEvidence against ${cons} at height 8, power 5: an Equivocation`,
    ],
    [
      { type: 2, ...facts, power: 6 },
      "misbehavior",
      `LightClientAttackEvidence against ${cons} at height 8, power 6: an Equivocation`,
    ],
  ],
  unknown_misbehavior: [[{ type: 26 }, "misbehavior", "ignored unknown evidence type: 1a"]],
  outcome: [
    [
      { type: 1, ...facts },
      "outcome",
      `DuplicateVoteEvidence against ${cons} at height 8: punished`,
    ],
    [
      { type: 2, ...facts, ignored: { kind: "invalid", error: "no height" } },
      "outcome",
      `LightClientAttackEvidence against ${cons} at height 8: ignored, no height`,
    ],
  ],
  infraction_block: [
    [{ height: 8 }, "block at the infraction", "there is no block 8"],
    [{ height: 8, drift: 0n }, "block at the infraction", "time of block 8"],
    [
      { height: 8, drift: -5n * SECOND },
      "block at the infraction",
      "time of block 8, -5 s from the one carried",
    ],
  ],
  basic_validation: [
    [{ type: "equivocation" }, "basic validation", "equivocation"],
    [{ type: "equivocation", error: "no height" }, "basic validation", "no height"],
  ],
  duplicate_check: [
    [{ hash, found: true }, "duplicate check", "AB01 is stored already"],
    [{ hash, found: false }, "duplicate check", "not found"],
  ],
  route: [
    [{ route: "scripted", found: "handler" }, "route scripted", "found"],
    [{ route: "scripted", found: "no_handler" }, "route scripted", "no Handler"],
    [{ route: "scripted", found: "no_router" }, "route scripted", "the keeper has no Router"],
  ],
  claims_hold: [[{}, "facts", "height, time, validator and power are the chain's own"]],
  signatures_hold: [[{}, "signatures", "both are the validator's"]],
  other_block: [[{ hash }, "block of vote B", "AB01 is not on this chain"]],
  handler: [
    [{}, "handler", "accepted"],
    [{ error: "wrong" }, "handler", "wrong"],
  ],
  event: [[{ hash }, "event", "submit_evidence AB01"]],
  persistence: [[{ hash }, "persistence", "stored under AB01"]],
  unknown_validator: [[{ address: VAL }, "validator", `staking knows no ${cons}`]],
  validator: [
    [{ address: VAL, operator: VAL, status: "bonded" }, "validator", `${oper} is bonded`],
    [{ address: VAL, operator: VAL, status: "unbonding" }, "validator", `${oper} is unbonding`],
    [{ address: VAL, operator: VAL, status: "unbonded" }, "validator", `${cons} is unbonded`],
  ],
  public_key: [
    [{ address: VAL, found: "yes" }, "public key", "found"],
    [{ address: VAL, found: "no" }, "public key", `none known for ${cons}`],
    [
      { address: VAL, found: "not_asked" },
      "public key",
      "not asked for: staking does not manage the validator",
    ],
  ],
  age: [
    [{ age: 30n * SECOND, maxAge: 48n * HOUR }, "age", "30 s of 48 h"],
    [
      { age: 30n * SECOND, maxAge: 48n * HOUR, blocks: { age: 6, max: 100 } },
      "age",
      "30 s of 48 h, 6 of 100 blocks",
    ],
  ],
  signing_info: [
    [{ found: true }, "signing info", "found"],
    [{ found: false }, "signing info", "none"],
  ],
  tombstoned: [
    [{ tombstoned: true }, "tombstoned", "yes, one punishment is enough"],
    [{ tombstoned: false }, "tombstoned", "no"],
  ],
  stake: [
    [{ height: 1 }, "stake", "as of height 1"],
    [{ height: 0 }, "stake", "as of genesis"],
  ],
  already_jailed: [[{}, "jail", "was jailed already"]],
};

test.each(Object.keys(SAID) as (keyof EvidenceSteps)[])("what %s says", (kind) => {
  for (const [data, what, found] of SAID[kind]) {
    expect(textOfStep(EVIDENCE_TEXTS, { kind, data })).toEqual({ what, found });
  }
});
