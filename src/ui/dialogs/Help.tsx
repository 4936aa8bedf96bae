import { Dialog } from "../widgets/Dialog.tsx";
import css from "./Help.module.css";

const KEYS = [
  ["Space", "play, pause"],
  ["→", "one block"],
  ["Shift →", "ten blocks"],
  ["d", "make a validator double-sign"],
  ["f", "inject a fault: a crash, a partition, a second node with the same key"],
  ["u", "propose an upgrade"],
  ["r", "run until something happens"],
  ["s", "stories"],
  ["w", "worlds: open, rename, copy, delete, export, import"],
  ["Esc", "close a dialog, or the details of what is selected"],
  ["1 to 5", "the views, from left to right"],
  ["/", "search: in this view, or else among the stories"],
  ["?", "this page"],
] as const;

const TERMS = [
  ["jailed", "Out of the validator set. May unjail when its jail time is over, unless tombstoned."],
  ["tombstoned", "Jailed for good with this consensus key."],
  ["unbonding", "Stake that is being withdrawn. It can still be slashed for earlier infractions."],
  ["halted", "Consensus has stopped on this node; the process is up and prints why."],
  [
    "decided, not applied",
    "The block has a commit, but no running binary can execute it: the height of an upgrade.",
  ],
  ["Handler", "The code in a binary that carries out an upgrade plan of the same name."],
] as const;

const LEFT_OUT =
  "Gossip delays within a round, mempool, fees and gas, real downloads, CometBFT's RPC, and IBC. Commits are stored compactly: who signed, not every signature.";

export default function Help() {
  return (
    <Dialog title="Keys and terms" wide>
      <div className={css.columns}>
        <section>
          <h3>Keys</h3>
          <dl className={css.keys}>
            {KEYS.map(([key, does]) => (
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
        <h3>What this model leaves out</h3>
        <p className="soft">{LEFT_OUT}</p>
      </section>
    </Dialog>
  );
}
