import { expect, test } from "vitest";
import { contextOf, preview, take } from "./testing.ts";

const ref = (name: string): string => `$${"{"}${name}}`;
const amount = { denom: "stake", amount: "1000000" };
const own = { delegator_address: ref("alice"), amount };

/** The preview's sentence about a transaction of alice, who has stake with val-1, at height 5. */
function said(type: string, message: object): string {
  const context = contextOf(
    "{ scenario: 1, name: test, genesis: { accounts: { alice: 9000000stake } }, steps: [] }",
  );
  take(context, { run: 4 });
  const tx = (kind: string, more: object) => ({
    tx: { from: "alice", msgs: [{ "@type": `/chain.${kind}`, ...more }] },
  });
  take(
    context,
    tx("staking.v1beta1.MsgDelegate", { ...own, validator_address: ref("val-1.valoper") }),
  );
  const { sentence, message: refusal } = preview(context, tx(type, message));
  expect(refusal).toBe("");
  return sentence;
}

test("stake that is delegated counts two blocks after the one that carries it", () => {
  expect(
    said("staking.v1beta1.MsgDelegate", { ...own, validator_address: ref("val-2.valoper") }),
  ).toBe(
    "In block 6 alice delegates 1,000,000 stake to val-2. Its votes carry that from block 8 on, while it is in the set.",
  );
});

test("stake that is taken out is locked until its unbonding ends", () => {
  expect(
    said("staking.v1beta1.MsgUndelegate", { ...own, validator_address: ref("val-1.valoper") }),
  ).toBe(
    "In block 6 alice takes 1,000,000 stake from val-1, whose votes lose that from block 8 on. It is locked, and can still be slashed, until 2026-01-22 00:00:25.",
  );
});

test("stake that is moved to another validator answers for the first one's past", () => {
  expect(
    said("staking.v1beta1.MsgBeginRedelegate", {
      ...own,
      validator_src_address: ref("val-1.valoper"),
      validator_dst_address: ref("val-2.valoper"),
    }),
  ).toBe(
    "In block 6 alice moves 1,000,000 stake from val-1 to val-2, whose votes change from block 8 on. Until 2026-01-22 00:00:25 it can be slashed for what val-1 did before.",
  );
});

test("tokens that are sent are there at once, and what moves none is not described", () => {
  const send = { from_address: ref("alice"), to_address: ref("val-0"), amount: [amount] };
  expect(said("bank.v1beta1.MsgSend", send)).toBe(
    "In block 6 alice sends 1,000,000 stake to val-0, to be used at once.",
  );
  const title = { title: "Words", summary: "Of words.", metadata: "More.", proposer: ref("alice") };
  expect(said("gov.v1.MsgSubmitProposal", { ...title, initial_deposit: [amount] })).toBe("");
});
