import { KEY_TEXTS } from "../store/key-texts.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { LEFT_OUT_URL, RULES } from "../widgets/rule-texts.ts";
import css from "./Help.module.css";

const TERMS = [
  [
    "prevote, precommit",
    "The two votes of a round. A block needs both from more than 2/3 of the power.",
  ],
  ["commit", "The precommits that decided a block, contained in the next block."],
  ["app hash", "The hash of all state after a block, contained in the next header."],
  ["equivocation", "Two different votes with one key in the same round: a double sign."],
  ["jailed", "Out of the validator set. May unjail when its jail time is over, unless tombstoned."],
  ["tombstoned", "Jailed for good with this consensus key."],
  ["unbonding", "Stake that is being withdrawn. It can still be slashed for earlier infractions."],
  [
    "halted",
    "Consensus has stopped on this node, which prints why. Its process is up, unless it says exited.",
  ],
  [
    "redelegation",
    "Stake moved from one validator to another. It can still be slashed for what the first one did.",
  ],
  [
    "decided, not applied",
    "The block has a commit, but no running binary can execute it: the height of an upgrade.",
  ],
  ["plan", "The name and height of an upgrade, as a passed proposal has scheduled it."],
  ["Handler", "The code in a binary that runs an upgrade plan of the same name."],
  ["quorum", "The minimum share of bonded stake that must vote."],
  [
    "veto",
    "No with veto: if more than 1/3 of the votes are veto, the proposal fails and its deposit is burned.",
  ],
  ["expedited", "A proposal with a shorter vote, a higher threshold and a greater deposit."],
  ["profile", "Which rules the chain follows where the documentation and releases differ."],
] as const;

const ASKING =
  "API, below the views, lists everything that REST and gRPC answer. Each endpoint is filled with values of this chain and called here; beside it the same call for curl, grpcurl, the command line and fetch. Terminal, beside it, runs the command line's queries and transactions, and controls the chain with lab, such as lab advance 10 or lab double-sign val-2: help lists them, Tab completes them, and Esc leaves it.";

export default function Help() {
  return (
    <Dialog title="Keys and terms" wide>
      <div className={css.columns}>
        <section>
          <h3>Keys</h3>
          <dl className={css.keys}>
            {KEY_TEXTS.map(({ key, does }) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <p className="small soft">Keys do nothing while you type.</p>
        </section>
        <section>
          <h3>Terms</h3>
          <dl className={css.terms}>
            {TERMS.map(([term, meaning]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <section>
        <h3>Asking the chain</h3>
        <p className="soft">{ASKING}</p>
      </section>
      <section>
        <h3>Rules</h3>
        <p className="soft">
          Why? beside a block, evidence, a proposal, a plan, a validator or a transaction lists
          every decision that led there, with its rule.
        </p>
        <p>
          <a href={`${RULES}index.html`} target="_blank" rel="noreferrer">
            All rules
          </a>
        </p>
        <p>
          <a href={LEFT_OUT_URL} target="_blank" rel="noreferrer">
            What this model leaves out
          </a>
        </p>
      </section>
    </Dialog>
  );
}
