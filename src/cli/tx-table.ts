/**
 * Commands of `chainlab tx`, with the names used by the command lines of chains: each command
 * builds the messages of one transaction, in REST's JSON format.
 */
import { readCoin, readCoins, readOption, readWeights } from "./coins.ts";

export interface TxEntry {
  readonly brief: string;
  readonly example: string;
  /** Values by position. */
  readonly params: readonly string[];
  /** Values by flag, `flag!` if required, `flag?` for booleans. */
  readonly flags: readonly string[];
  readonly messages: WriteMessages;
}

export type WriteMessages = (input: Input, tx: Drafting) => Promise<readonly object[]>;

/** Returns a value by position or flag; an empty text for a missing one. */
export type Input = (name: string) => string;

/** Data for building messages. */
export interface Drafting {
  /** The signing account, and its operator's address. */
  readonly from: string;
  readonly operator: string;
  /** The address of an account, or of a validator's operator, by address or name. */
  account(text: string): Promise<string>;
  validator(text: string): Promise<string>;
  /** The JSON in a file. */
  file(path: string): Promise<Readonly<Record<string, unknown>>>;
}

export interface TxGroup {
  readonly brief: string;
  readonly routes: Readonly<Record<string, TxEntry>>;
}

const entry = (
  takes: string,
  flags: string,
  brief: string,
  example: string,
  messages: WriteMessages,
): TxEntry => ({
  brief,
  example,
  params: takes.match(/\S+/g) ?? [],
  flags: flags.match(/\S+/g) ?? [],
  messages,
});

/** The sender by position, which replaces --from. */
export const SENDER = "from_key_or_address";

const delegate: WriteMessages = async (input, tx) => [
  {
    "@type": "/chain.staking.v1beta1.MsgDelegate",
    delegator_address: tx.from,
    validator_address: await tx.validator(input("validator_addr")),
    amount: readCoin(input("amount")),
  },
];

const PROPOSAL = "title! summary metadata deposit expedited?";

const proposal = (input: Input, { from }: Drafting, messages: readonly object[]) =>
  submitted({
    messages,
    initial_deposit: readCoins(input("deposit")),
    proposer: from,
    metadata: input("metadata"),
    title: input("title"),
    summary: input("summary") || input("title"),
    expedited: input("expedited") !== "",
  });

/** Throws an Error where the chain would refuse the proposal in its block. */
function submitted(fields: Readonly<Record<string, unknown>>) {
  for (const field of ["title", "summary"])
    if ((fields[field] ?? "") === "") throw new Error(`proposal ${field} cannot be empty`);
  return [{ "@type": "/chain.gov.v1.MsgSubmitProposal", ...fields }];
}

/** Authority of a proposal's messages: the gov module, unless another is named. */
const authority = (input: Input, tx: Drafting): Promise<string> =>
  tx.account(input("authority") || "gov");

export const TX_GROUPS: Readonly<Record<string, TxGroup>> = {
  bank: {
    brief: "Sends coins",
    routes: {
      send: entry(
        `${SENDER} to_address amount`,
        "",
        "Sends coins to an account",
        "bank send me alice 10stake --yes",
        async (input, tx) => [
          {
            "@type": "/chain.bank.v1beta1.MsgSend",
            from_address: tx.from,
            to_address: await tx.account(input("to_address")),
            amount: readCoins(input("amount")),
          },
        ],
      ),
    },
  },
  staking: {
    brief: "Delegates, redelegates and unbonds",
    routes: {
      delegate: entry(
        "validator_addr amount",
        "",
        "Delegates coins to a validator",
        "staking delegate val-0 1000000stake --from me --yes",
        delegate,
      ),
      unbond: entry(
        "validator_addr amount",
        "",
        "Unbonds coins from a validator",
        "staking unbond val-0 1000000stake --from me --yes",
        async (input, tx) => {
          const [message] = await delegate(input, tx);
          return [{ ...message, "@type": "/chain.staking.v1beta1.MsgUndelegate" }];
        },
      ),
      redelegate: entry(
        "src_validator_addr dst_validator_addr amount",
        "",
        "Moves a delegation from one validator to another",
        "staking redelegate val-0 val-1 1000000stake --from me --yes",
        async (input, tx) => [
          {
            "@type": "/chain.staking.v1beta1.MsgBeginRedelegate",
            delegator_address: tx.from,
            validator_src_address: await tx.validator(input("src_validator_addr")),
            validator_dst_address: await tx.validator(input("dst_validator_addr")),
            amount: readCoin(input("amount")),
          },
        ],
      ),
      cancelUnbond: entry(
        "validator_addr amount creation_height",
        "",
        "Cancels an unbonding that has not ended",
        "staking cancel-unbond val-0 1000000stake 12 --from me --yes",
        async (input, tx) => {
          const [message] = await delegate(input, tx);
          return [
            {
              ...message,
              "@type": "/chain.staking.v1beta1.MsgCancelUnbondingDelegation",
              creation_height: input("creation_height"),
            },
          ];
        },
      ),
    },
  },
  slashing: {
    brief: "Ends the jailing of a validator",
    routes: {
      unjail: entry(
        "",
        "",
        "Ends the jailing of the sender's validator",
        "slashing unjail --from val-1 --yes",
        async (_, { operator }) => [
          { "@type": "/chain.slashing.v1beta1.MsgUnjail", validator_addr: operator },
        ],
      ),
    },
  },
  gov: {
    brief: "Proposals, deposits and votes",
    routes: {
      submitProposal: entry(
        "path/to/proposal.json",
        "",
        "Submits the proposal of a file: messages, deposit, title, summary, metadata, expedited",
        "gov submit-proposal proposal.json --from me --yes",
        async (input, tx) => {
          const {
            messages = [],
            deposit = "",
            ...file
          } = await tx.file(input("path/to/proposal.json"));
          if (!Array.isArray(messages)) throw new Error("messages: expected a list");
          const { proposer: _, ...own } = file;
          return submitted({
            messages,
            initial_deposit: readCoins(String(deposit)),
            proposer: tx.from,
            ...own,
          });
        },
      ),
      deposit: entry(
        "proposal_id deposit",
        "",
        "Adds to a proposal's deposit",
        "gov deposit 1 10000000stake --from me --yes",
        async (input, { from }) => [
          {
            "@type": "/chain.gov.v1.MsgDeposit",
            proposal_id: input("proposal_id"),
            depositor: from,
            amount: readCoins(input("deposit")),
          },
        ],
      ),
      vote: entry(
        "proposal_id option",
        "metadata",
        "Votes on a proposal: yes, no, no_with_veto or abstain",
        "gov vote 1 yes --from val-0 --yes",
        async (input, { from }) => [
          {
            "@type": "/chain.gov.v1.MsgVote",
            proposal_id: input("proposal_id"),
            voter: from,
            option: readOption(input("option")),
            metadata: input("metadata"),
          },
        ],
      ),
      weightedVote: entry(
        "proposal_id weighted_options",
        "metadata",
        "Splits a vote on a proposal",
        "gov weighted-vote 1 yes=0.6,no=0.4 --from val-0 --yes",
        async (input, { from }) => [
          {
            "@type": "/chain.gov.v1.MsgVoteWeighted",
            proposal_id: input("proposal_id"),
            voter: from,
            options: readWeights(input("weighted_options")),
            metadata: input("metadata"),
          },
        ],
      ),
      cancelProposal: entry(
        "proposal_id",
        "",
        "Cancels a proposal of the sender before its vote ends",
        "gov cancel-proposal 1 --from me --yes",
        async (input, { from }) => [
          {
            "@type": "/chain.gov.v1.MsgCancelProposal",
            proposal_id: input("proposal_id"),
            proposer: from,
          },
        ],
      ),
    },
  },
  upgrade: {
    brief: "Proposes software upgrades, and cancelling them",
    routes: {
      softwareUpgrade: entry(
        "name",
        `upgrade-height! upgrade-info authority no-validate? ${PROPOSAL}`,
        "Proposes a software upgrade; its info is not checked here",
        "upgrade software-upgrade v2 --upgrade-height 60 --title v2 --summary why --deposit 10000000stake --from me --yes",
        async (input, tx) =>
          proposal(input, tx, [
            {
              "@type": "/chain.upgrade.v1beta1.MsgSoftwareUpgrade",
              authority: await authority(input, tx),
              plan: {
                name: input("name"),
                // Upstream's clients expect it on the wire.
                time: "0001-01-01T00:00:00Z",
                height: input("upgrade-height"),
                info: input("upgrade-info"),
              },
            },
          ]),
      ),
      cancelSoftwareUpgrade: entry(
        "",
        `authority ${PROPOSAL}`,
        "Proposes to cancel the scheduled upgrade",
        "upgrade cancel-software-upgrade --title stay --summary why --deposit 10000000stake --from me --yes",
        async (input, tx) =>
          proposal(input, tx, [
            {
              "@type": "/chain.upgrade.v1beta1.MsgCancelUpgrade",
              authority: await authority(input, tx),
            },
          ]),
      ),
    },
  },
  evidence: {
    brief: "Submits evidence",
    routes: {
      submit: entry(
        "path/to/evidence.json",
        "",
        "Submits the evidence of a file, its type in @type",
        "evidence submit evidence.json --from me --yes",
        async (input, tx) => [
          {
            "@type": "/chain.evidence.v1beta1.MsgSubmitEvidence",
            submitter: tx.from,
            evidence: await tx.file(input("path/to/evidence.json")),
          },
        ],
      ),
    },
  },
};
