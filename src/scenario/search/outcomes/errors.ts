/** Errors with a registered code, as in results of transactions. */
// Each of these registers errors on import.
import "../../../engine/app/app.ts";
import "../../../engine/app/signed-tx.ts";
import "../../../view/store-query/store-query.ts";
import {
  PANIC_CODE,
  type RegisteredError,
  registeredErrors,
} from "../../../engine/framework/errors.ts";
import type { BlockView, TxView } from "../../../engine/simulation/views.ts";
import type { Reach } from "./reach.ts";

type How = Omit<Reach, "words">;

/**
 * The client that sends the signed transaction gets the error at once, and no block contains it.
 */
const ON_RECEIPT: How = {
  never:
    "a node answers it to the client whose signed transaction it refuses to take; no block has it",
};

const REACH: Readonly<Record<string, How>> = {
  "sdk/2": ON_RECEIPT,
  "sdk/4": {
    by: "tokens sent to a module's account, or a message of an account that did not sign",
  },
  "sdk/5": { by: "more tokens sent, deposited or delegated than the account has" },
  "sdk/6": { by: "a message that the chain's binary has no module for" },
  "sdk/7": { by: "a message with an address that is none" },
  "sdk/8": ON_RECEIPT,
  "sdk/9": ON_RECEIPT,
  "sdk/10": { by: "a transfer or deposit of no coins, or of a negative amount" },
  "sdk/12": ON_RECEIPT,
  "sdk/13": ON_RECEIPT,
  "sdk/15": ON_RECEIPT,
  "sdk/18": { by: "a message whose fields cannot be, such as a proposal without a title" },
  "sdk/19": ON_RECEIPT,
  "sdk/20": ON_RECEIPT,
  "sdk/21": ON_RECEIPT,
  "sdk/29": { by: "a validator created with a key of another kind than ed25519" },
  "sdk/30": { by: "a signed transaction whose timeout height is the newest one as it is sent" },
  "sdk/31": ON_RECEIPT,
  "sdk/32": { by: "a signed transaction that waits behind one which is refused before it runs" },
  "sdk/35": {
    never:
      "only a module that an upgrade adds with validators of its own meets it, and there is none",
  },
  "sdk/38": { by: "cancelling the unbonding of a height at which none began" },

  "store/3": { never: "CometBFT's RPC answers it to an ABCI query without a key" },
  "store/4": { never: "CometBFT's RPC answers it to an ABCI query for a store that is not there" },

  "evidence/2": { by: "evidence whose route the chain's Router does not have" },
  "evidence/3": { by: "evidence that claims what the chain's record does not say" },
  "evidence/5": { by: "the same evidence submitted twice" },

  "gov/3": { by: "a vote on a proposal whose voting has not begun" },
  "gov/5": { by: "metadata as JSON whose title is not the proposal's" },
  "gov/7": { by: "a vote for no option, or weights that are not shares of one whole" },
  "gov/9": {
    never: "a file names no content of a module that is not there; only a client sends its bytes",
  },
  "gov/10": { by: "a proposal of a message that the binary has no module for" },
  "gov/11": { by: "a proposal without messages and without metadata" },
  "gov/12": { by: "a signed proposal of a message whose bytes cannot be read" },
  "gov/13": { by: "a proposal of a message that another account than governance must sign" },
  "gov/15": { by: "a title or metadata of more than 255 bytes" },
  "gov/16": { by: "a deposit below the least share of the minimum" },
  "gov/18": { by: "cancelling a proposal of another account" },
  "gov/20": { by: "cancelling a proposal in the very block that closes it" },
  "gov/21": { by: "cancelling a proposal that is closed" },
  "gov/22": { by: "a summary of more than 10200 bytes" },
  "gov/23": { by: "a deposit in a denom that the minimum does not have" },

  "slashing/4": { by: "unjailing before the time in jail is over, or a tombstoned validator" },
  "slashing/5": { by: "unjailing a validator that is not jailed" },
  "slashing/7": { by: "unjailing an operator whose own stake is below its minimum" },
  "slashing/8": { never: "a query answers it for a validator that has never been bonded" },
  "slashing/9": {
    never: "evidence against a tombstoned validator is ignored before it comes to it",
  },

  "staking/3": { by: "a delegation to a validator that does not exist" },
  "staking/4": { by: "a second validator of one operator" },
  "staking/5": { by: "a validator created with the key of another" },
  "staking/7": { by: "cancelling an unbonding from a validator that is jailed" },
  "staking/8": { never: "staking removes a validator only when nothing is left of it" },
  "staking/9": { by: "a validator created with a negative commission" },
  "staking/10": { by: "a validator created with a greatest commission above 1" },
  "staking/11": { by: "a validator created with a commission above its greatest" },
  "staking/12": { by: "a commission changed within a day of its last change" },
  "staking/13": { by: "a validator created with a negative greatest change of its commission" },
  "staking/14": { by: "a validator created with a greatest change above its greatest commission" },
  "staking/15": { by: "a commission raised by more than its greatest change" },
  "staking/16": { by: "a validator created with less stake than its least own stake" },
  "staking/17": { by: "a least own stake that is set to less than before" },
  "staking/19": { by: "undelegating from a validator without a delegation to it" },
  "staking/21": {
    never: "every message that unbonds asks for the delegation before, with staking 19",
  },
  "staking/22": { by: "undelegating from a validator that was slashed of all its tokens" },
  "staking/24": { never: "every message that unbonds compares the amount before, with sdk 18" },
  "staking/27": { by: "more undelegations from one validator under way than max_entries" },
  "staking/29": { by: "a redelegation to the same validator" },
  "staking/30": { by: "a redelegation of the smallest unit from a slashed validator" },
  "staking/31": { by: "a redelegation to a validator that does not exist" },
  "staking/32": { by: "moving tokens on that a redelegation has only just brought" },
  "staking/33": { by: "more redelegations between two validators under way than max_entries" },
  "staking/34": { by: "a delegation to a validator that was slashed of all its tokens" },
  "staking/39": { by: "a validator created without a key" },
  "staking/40": { by: "a validator created with a commission below min_commission_rate" },
  "staking/44": { never: "the delegation is looked up before the source, with staking 3" },

  "upgrade/2": {
    never: "a query answers it for the version of a module that the chain does not have",
  },
  "upgrade/6": { by: "MsgSoftwareUpgrade or MsgCancelUpgrade of another account than governance" },
};

/** Errors without a registered code, by their code in codespace `undefined`. */
const UNREGISTERED: Readonly<Record<string, Reach>> = {
  "undefined/1": {
    words: "an error that has no code of its own",
    by: "cancelling a proposal that does not exist",
  },
  [`undefined/${PANIC_CODE}`]: {
    words: "a panic that the transaction recovers from",
    by: "evidence for a chain without a Router, profile sdk-0.53",
  },
};

const nameOf = ({ codespace, code }: Pick<RegisteredError, "codespace" | "code">): string =>
  `${codespace}/${code}`;

/**
 * Every registered error, in order of codespaces and codes. Throws an Error for one without a
 * description of its steps.
 */
export function errorOutcomes(): Readonly<Record<string, Reach>> {
  const errors = [...registeredErrors].sort((a, b) =>
    a.codespace < b.codespace ? -1 : a.codespace > b.codespace ? 1 : a.code - b.code,
  );
  const known = errors.map((error) => {
    const how = REACH[nameOf(error)];
    if (how === undefined) throw new Error(`nothing says what reaches the error ${nameOf(error)}`);
    return [nameOf(error), { words: error.text, ...how }] as const;
  });
  return { ...Object.fromEntries(known), ...UNREGISTERED };
}

/** The errors of a block's transactions. */
export const errorsOf = ({ txs }: BlockView): readonly string[] =>
  txs.flatMap((tx: TxView) => (tx.code === 0 ? [] : [nameOf(tx)]));
