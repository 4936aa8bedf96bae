import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { GenesisStateSchema as BankGenesis } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import { GenesisStateSchema as GovGenesis } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import {
  MsgCancelUpgradeSchema,
  Msg as UpgradeMsg,
} from "../../../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { packInit, typeUrl } from "../../framework/codec.ts";
import { ServiceRouter } from "../../framework/router.ts";
import { TestChain } from "../../framework/testing.ts";
import { createBankModule } from "../../modules/bank/module.ts";
import { createGovModule } from "../../modules/gov/module.ts";
import { defaultParams } from "../../modules/gov/params.ts";
import { AUTHORITY, acc, stake } from "./testing.ts";

const ALICE = acc("alice");
const GOV = accAddress(moduleAddress("gov"));

/** Gov with the real bank, without a minimum deposit. */
function govWithBank() {
  const chain = new TestChain("bank", "gov");
  const router = new ServiceRouter();
  const bank = createBankModule({ consensusVersion: 4 });
  const staking = {
    iterateBondedValidatorsByPower: () => [],
    delegationsOf: () => [],
    totalBondedTokens: () => 0n,
  };
  const gov = createGovModule({
    ...{ authority: AUTHORITY, bank: bank.keeper, staking, router },
    legacyContents: [],
  });
  gov.registerMessages(router);
  router.registerMsg("upgrade", UpgradeMsg, {
    softwareUpgrade: () => ({}),
    cancelUpgrade: () => ({}),
  });
  const ctx = chain.block(1);
  const balances = [{ address: ALICE, coins: [stake(100)] }];
  bank.genesis.init(ctx, create(BankGenesis, { balances }));
  const params = { ...defaultParams(), minDepositRatio: "0" };
  gov.genesis.init(ctx, create(GovGenesis, { startingProposalId: 1n, params }));
  chain.takeEvents();
  return { chain, router, gov };
}

test("an empty deposit is sent, and sent back, with the events of a send (rules/gov 3.1)", () => {
  const { chain, router, gov } = govWithBank();
  const init = {
    title: "Cancel it",
    summary: "Not now",
    proposer: ALICE,
    messages: [packInit(MsgCancelUpgradeSchema, { authority: AUTHORITY })],
    initialDeposit: [],
  };
  const route = router.message(typeUrl(MsgSubmitProposalSchema));
  route?.invoke(chain.block(1), create(MsgSubmitProposalSchema, init));
  expect(chain.takeEvents()).toEqual([
    `submit_proposal{proposal_id=1, proposal_proposer=${ALICE}, proposal_messages=,/chain.upgrade.v1beta1.MsgCancelUpgrade}`,
    ...sendOfNothing(ALICE, GOV),
    `proposal_deposit{depositor=${ALICE}, amount=, proposal_id=1}`,
  ]);

  const expired = defaultParams().maxDepositPeriod?.seconds ?? 0n;
  gov.endBlock?.(chain.block(Number(expired / 5n) + 2));
  expect(chain.takeEvents().slice(0, 4)).toEqual(sendOfNothing(GOV, ALICE));
});

const sendOfNothing = (from: string, to: string): string[] => [
  `coin_spent{spender=${from}, amount=}`,
  `coin_received{receiver=${to}, amount=}`,
  `transfer{recipient=${to}, sender=${from}, amount=}`,
  `message{sender=${from}}`,
];
