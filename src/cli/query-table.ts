/**
 * Commands of `chainlab query`, with the names used by the command lines of chains
 * (rules/evidence 6.5, rules/upgrade 8.2; AutoCLI of Cosmos SDK 0.53, and the interface documents
 * where they differ).
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { Query as Auth } from "../gen/chain/auth/v1beta1/query_pb.ts";
import { Query as Bank } from "../gen/chain/bank/v1beta1/query_pb.ts";
import { Service as Node } from "../gen/chain/base/tendermint/v1beta1/query_pb.ts";
import { Query as Evidence } from "../gen/chain/evidence/v1beta1/query_pb.ts";
import { Query as Gov } from "../gen/chain/gov/v1/query_pb.ts";
import { Query as Slashing } from "../gen/chain/slashing/v1beta1/query_pb.ts";
import { Query as Staking } from "../gen/chain/staking/v1beta1/query_pb.ts";
import { Service as Tx } from "../gen/chain/tx/v1beta1/service_pb.ts";
import { Query as Upgrade } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import type { Question } from "./query.ts";
import { applied, content, evidence, explained, plan, searched, tx } from "./query-answers.ts";

export interface Entry extends Question {
  readonly brief: string;
}

export interface Group {
  readonly brief: string;
  readonly routes: Readonly<Record<string, Entry>>;
  /** Other spellings of a route. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/**
 * @param takes fields of the request: by position, with `?` if optional, and as flags. Pagination
 * follows from the method.
 */
const entry = (
  method: DescMethod,
  takes: string,
  brief: string,
  more: Partial<Question> = {},
): Entry => ({
  method,
  brief,
  params: takes.match(/\S+/g) ?? [],
  ...more,
});

const { method: auth } = Auth;
const { method: bank } = Bank;
const { method: gov } = Gov;
const { method: slashing } = Slashing;
const { method: staking } = Staking;
const { method: upgrade } = Upgrade;
const { method: lab } = Lab;

/** Routes by their names in camel case; the command line also accepts kebab case. */
export const GROUPS: Readonly<Record<string, Group>> = {
  auth: {
    brief: "Accounts with their numbers and sequences",
    routes: {
      account: entry(auth.account, "address", "An account with its number and sequence"),
      accountInfo: entry(auth.accountInfo, "address", "The same without its type"),
      accounts: entry(auth.accounts, "", "All accounts"),
      addressByAccNum: entry(auth.accountAddressByID, "account_id", "The account of a number"),
      moduleAccount: entry(auth.moduleAccountByName, "name", "The account of a module", {
        called: { name: "module_name" },
      }),
      moduleAccounts: entry(auth.moduleAccounts, "", "The accounts of all modules"),
      bech32Prefix: entry(auth.bech32Prefix, "", "What addresses begin with"),
      params: entry(auth.params, "", "Limits of transactions"),
    },
  },
  bank: {
    brief: "Balances and supply",
    routes: {
      balance: entry(bank.balance, "address denom", "An account's balance of a denom"),
      balances: entry(bank.allBalances, "address", "All balances of an account"),
      spendableBalances: entry(
        bank.spendableBalances,
        "address",
        "An account's spendable balances; there is no vesting",
      ),
      spendableBalance: entry(
        bank.spendableBalanceByDenom,
        "address denom",
        "An account's spendable balance of a denom",
      ),
      totalSupply: entry(bank.totalSupply, "", "Total supply of all denoms"),
      totalSupplyOf: entry(bank.supplyOf, "denom", "Total supply of a denom"),
    },
    aliases: { total: "totalSupply" },
  },
  gov: {
    brief: "Proposals, deposits, votes and parameters",
    routes: {
      proposals: entry(
        gov.proposals,
        "--proposal_status --voter --depositor",
        "Proposals, optionally of one status, voter or depositor",
      ),
      proposal: entry(gov.proposal, "proposal_id", "One proposal"),
      votes: entry(gov.votes, "proposal_id", "The votes on a proposal"),
      vote: entry(gov.vote, "proposal_id voter", "One account's vote on a proposal"),
      deposits: entry(gov.deposits, "proposal_id", "The deposits on a proposal"),
      deposit: entry(gov.deposit, "proposal_id depositor", "One account's deposit on a proposal"),
      tally: entry(gov.tallyResult, "proposal_id", "The tally of a proposal: current, or final"),
      params: entry(gov.params, "--params_type", "Voting parameters"),
    },
  },
  slashing: {
    brief: "Signing infos and slashing parameters",
    routes: {
      signingInfos: entry(slashing.signingInfos, "", "Signing info of every validator"),
      signingInfo: entry(slashing.signingInfo, "cons_address", "Signing info of one validator"),
      params: entry(slashing.params, "", "Slashing parameters"),
    },
  },
  staking: {
    brief: "Validators and delegations",
    routes: {
      validators: entry(staking.validators, "--status", "All validators, of one status if given"),
      validator: entry(staking.validator, "validator_addr", "One validator"),
      delegations: entry(
        staking.delegatorDelegations,
        "delegator_addr",
        "Delegations of an account",
      ),
      delegationsTo: entry(
        staking.validatorDelegations,
        "validator_addr",
        "Delegations to a validator",
      ),
      delegation: entry(
        staking.delegation,
        "delegator_addr validator_addr",
        "One account's delegation to one validator",
      ),
      unbondingDelegations: entry(
        staking.delegatorUnbondingDelegations,
        "delegator_addr",
        "Unbonding delegations of an account",
      ),
      unbondingDelegationsFrom: entry(
        staking.validatorUnbondingDelegations,
        "validator_addr",
        "Unbonding delegations from a validator",
      ),
      unbondingDelegation: entry(
        staking.unbondingDelegation,
        "delegator_addr validator_addr",
        "One account's unbonding delegation from one validator",
      ),
      delegatorValidators: entry(
        staking.delegatorValidators,
        "delegator_addr",
        "The validators that an account delegates to",
      ),
      delegatorValidator: entry(
        staking.delegatorValidator,
        "delegator_addr validator_addr",
        "One of them",
      ),
      redelegation: entry(
        staking.redelegations,
        "delegator_addr src_validator_addr? dst_validator_addr?",
        "Redelegations of an account",
      ),
      pool: entry(staking.pool, "", "Bonded and not bonded tokens"),
      params: entry(staking.params, "", "Staking parameters"),
    },
  },
  state: {
    brief: "Stores and keys of the state, proofs, and changes",
    routes: {
      stores: entry(lab.getStores, "", "The stores with their roots, and the app hash over them"),
      keys: entry(
        lab.getStoreKeys,
        "store --prefix --search --offset --limit",
        "The keys of a store, in hex and decoded",
      ),
      entry: entry(lab.getStoreEntry, "store key", "The value under a key"),
      proof: entry(
        lab.getStoreProof,
        "store key",
        "The proof that a key has its value, or is absent, up to the app hash in the next header",
      ),
      history: entry(
        lab.getKeyHistory,
        "store key --limit",
        "The blocks that changed a key, newest first, up to --height",
      ),
      diff: entry(
        lab.getStateDiff,
        "before after --store --offset --limit",
        "The keys in which the states after two heights differ",
        { called: { before: "before_height", after: "after_height" } },
      ),
    },
  },
  upgrade: {
    brief: "The scheduled plan, applied upgrades and module versions",
    routes: {
      plan: entry(upgrade.currentPlan, "", "The upgrade plan, if there is one", { show: plan }),
      applied: entry(
        lab.getAppliedUpgrade,
        "name",
        "The header of the block at which an upgrade was applied",
        { show: applied, called: { name: "upgrade_name" } },
      ),
      module_versions: entry(
        upgrade.moduleVersions,
        "module_name?",
        "Modules with their consensus versions",
      ),
      authority: entry(upgrade.authority, "", "The account that may schedule and cancel upgrades"),
    },
    // The alias `module-versions` too.
    aliases: { moduleVersions: "module_versions" },
  },
};

/**
 * Queries without a group: transactions, evidence as in the interface document, and lab-only
 * queries.
 */
export const SINGLES: Readonly<Record<string, Entry>> = {
  evidence: entry(
    Evidence.method.evidence,
    "evidence_hash?",
    "Evidence by its hash, or all evidence",
    {
      without: Evidence.method.allEvidence,
      show: evidence,
      usages: [
        { input: "<evidence_hash> --scenario FILE", brief: "Returns the evidence with that hash" },
        { input: "--scenario FILE", brief: "Lists all evidence, page by page" },
      ],
    },
  ),
  tx: entry(Tx.method.getTx, "hash", "A transaction in a block, by its hash", {
    show: tx,
    called: { hash: "tx_hash" },
  }),
  "wait-tx": entry(Tx.method.getTx, "hash", "A transaction, once it is in a block", {
    show: tx,
    called: { hash: "tx_hash" },
    waits: true,
  }),
  txs: entry(
    Tx.method.getTxsEvent,
    "--query --page --limit --order_by",
    "Transactions by their events",
    { show: searched, example: "--query \"message.action='/cosmos.gov.v1.MsgVote'\"" },
  ),
  validators: entry(lab.getValidators, "", "Every validator: power, bond, missed blocks"),
  nodes: entry(lab.getNodes, "", "Every node: process, reason, binary, disk, faults"),
  node: entry(lab.getNode, "node", "One node"),
  logs: entry(lab.getNodeLog, "node --limit", "The newest lines of a node's log"),
  files: entry(lab.getNodeFiles, "node", "All files on a node's disk"),
  file: entry(lab.getNodeFile, "node path", "One file on a node's disk", { show: content }),
  sidecars: entry(
    lab.getSidecars,
    "--limit",
    "Every sidecar (Cosmovisor) with its upgrade progress",
  ),
  sidecar: entry(lab.getSidecar, "node", "One sidecar: steps, settings, files, log, remedies"),
  "chain-status": entry(
    lab.getChainStatus,
    "",
    "Status of block production, with missing nodes and remedies",
  ),
  block: entry(
    lab.getBlock,
    "height? --hash",
    "The newest block, one by its height, or with --hash by its hash",
    { types: ["height", "hash"] },
  ),
  "comet-validator-set": entry(
    Node.method.getValidatorSetByHeight,
    "height?",
    "The validators that vote on the newest block, or on one by its height",
    { without: Node.method.getLatestValidatorSet },
  ),
  commit: entry(
    lab.getCommit,
    "height?",
    "The commit of the newest block, or of one by its height, with its signatures",
  ),
  marks: entry(lab.getMarks, "--later", "Blocks with evidence, slashes, proposals, plans, halts"),
  rounds: entry(
    lab.getRounds,
    "height? --newest",
    "The rounds of a height, or of the one in progress",
  ),
  participation: entry(
    lab.getParticipation,
    "last? --count",
    "Signers of the newest blocks, or of those up to a height, and the block intervals",
  ),
  "tally-history": entry(
    lab.getTallyHistory,
    "proposal",
    "The tally of a proposal after each block that changed it",
  ),
  governance: entry(lab.getGovernance, "", "Every proposal from its submission to its end"),
  ballots: entry(
    lab.getBallots,
    "proposal --height",
    "Deposits and votes of a proposal with their power, also of one that has ended",
  ),
  explain: entry(
    lab.getExplanation,
    "kind id",
    "Explains a block, evidence, proposal, plan, validator or tx, with the rule of each step",
    { show: explained, called: { kind: "explained_kind", id: "explained_id" } },
  ),
  "validator-states": entry(
    lab.getValidatorStates,
    "validator",
    "Reason why a validator is jailed, tombstoned or not bonded, and the end of that state",
  ),
  "evidence-list": entry(
    lab.getEvidence,
    "",
    "The evidence that reached the chain, and the outcome of each piece",
  ),
  "evidence-piece": entry(
    lab.getEvidencePiece,
    "id",
    "One piece of evidence: its votes, every check, and the burned stake",
  ),
  divergence: entry(
    lab.getDivergence,
    "before after",
    "The keys in which two nodes' states differ",
  ),
  faults: entry(
    lab.getFaults,
    "",
    "The faults that were injected, also for later heights, and chaos",
  ),
  "last-command": entry(lab.getLastCommand, "", "The last action on the world, and its height"),
  compare: entry(
    lab.compareWorlds,
    "--a.world --a.height --b.world --b.height --link --limit",
    "Differences of two saved worlds, or of two heights of one",
    { example: "--a-height 6 --b-height 7" },
  ),
  difference: entry(
    lab.findDifference,
    "--a.world --b.world --from --backwards",
    "The next height at which two worlds differ in more than hashes and times",
    { example: "--b-world WORLD", called: { from: "from_height" } },
  ),
  forks: entry(lab.getForks, "", "Forks that other partitions of the network make"),
};
