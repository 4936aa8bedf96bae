/** The complete work of an operator, as a client in any language would do it. */
import { consAddress, fromAccAddress, setAddressPrefix, valAddress } from "../../base/bech32.ts";
import { formatRfc3339 } from "../../base/time.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { fund, reached, runChain } from "./chain.testing.ts";
import type { RunningChain } from "./chain.ts";

export const MNEMONIC =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

/** A running chain with an account that has coins. */
export async function outsideChain(prefix: string, address: string): Promise<RunningChain> {
  const genesis = `{ validators: 4, prefix: ${prefix}, gov: { voting_period: 48h }, slashing: { signed_blocks_window: 4, downtime_jail_duration: 1s } }`;
  const text = `{ scenario: 1, name: served, genesis: ${genesis}, steps: [] }`;
  const read = parseScenario(text, "served.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const origin = { scenario: read.scenario, file: "served.yaml", text };
  const chain = await runChain({ speed: 20, origin });
  setAddressPrefix(prefix);
  await fund(chain, fromAccAddress(address), "100000000");
  chain.session.player.play();
  chain.session.player.changed();
  return chain;
}

interface Job {
  readonly typeUrl: string;
  /** The message in proto3 JSON. */
  readonly value: object;
  /** Value of `message.action` in its events. */
  readonly action: string;
  /** Waits until the chain accepts it. */
  readonly ready?: () => Promise<void>;
}

/**
 * Messages that the chain accepts in this order.
 * @param any an Any in the JSON format of the client's language
 */
export function operatorJobs(
  chain: RunningChain,
  address: string,
  any: (typeUrl: string, value: object) => object,
): readonly Job[] {
  const { sim } = chain.session;
  const amount = { denom: "stake", amount: "1000000" };
  const zero = "0";
  const validatorAddress = valAddress(fromAccAddress(address));
  const { addresses, powers } = sim.network.ledger.blocks.validatorsAt(2);
  const evidence = {
    height: "2",
    time: formatRfc3339(sim.timeAt(2) ?? 0n),
    power: String(powers[0]),
    consensusAddress: consAddress(addresses[0] ?? new Uint8Array()),
  };
  const job = (name: string, value: object, more?: Partial<Job>): Job => {
    const typeUrl = `/cosmos.${name}`;
    return { typeUrl, value, action: typeUrl, ...more };
  };
  return [
    job("bank.v1beta1.MsgSend", { fromAddress: address, toAddress: address, amount: [amount] }),
    job("staking.v1beta1.MsgDelegate", {
      delegatorAddress: address,
      validatorAddress: valAddress(sim.account("val-1") ?? new Uint8Array()),
      amount,
    }),
    job("gov.v1beta1.MsgSubmitProposal", {
      proposer: address,
      content: any("/cosmos.gov.v1beta1.TextProposal", { title: "t", description: "d" }),
      initialDeposit: [{ denom: "stake", amount: "10000000" }],
    }),
    job("gov.v1beta1.MsgVoteWeighted", {
      proposalId: "1",
      voter: address,
      options: [
        { option: "VOTE_OPTION_YES", weight: "600000000000000000" },
        { option: "VOTE_OPTION_NO", weight: "400000000000000000" },
      ],
    }),
    job("staking.v1beta1.MsgCreateValidator", {
      description: { moniker: "outside" },
      commission: { rate: zero, maxRate: zero, maxChangeRate: zero },
      minSelfDelegation: "1",
      delegatorAddress: address,
      validatorAddress,
      pubkey: any("/cosmos.crypto.ed25519.PubKey", { key: Buffer.alloc(32, 7).toString("base64") }),
      value: amount,
    }),
    job(
      "slashing.v1beta1.MsgUnjail",
      { validatorAddr: validatorAddress },
      // No node signs with the new validator's key, so it is soon jailed.
      { ready: () => reached(chain, sim.height + 12) },
    ),
    job(
      "evidence.v1beta1.MsgSubmitEvidence",
      { submitter: address, evidence: any("/cosmos.evidence.v1beta1.Equivocation", evidence) },
      // rules/evidence 4.3.
      { action: "submit_evidence" },
    ),
  ];
}
