import { Dialog } from "../widgets/Dialog.tsx";
import css from "./Help.module.css";

const KEYS = [
  ["Space", "play, pause"],
  ["→", "one block"],
  ["Shift →", "ten blocks"],
  ["d", "make a validator double sign"],
  ["f", "inject a fault: a crash, a partition, a second node with the same key"],
  ["u", "propose an upgrade"],
  ["r", "run until something happens"],
  ["s", "stories"],
  ["?", "this page"],
] as const;

const WORDS = [
  ["jailed", "Out of the set of voters. May come back when its time is over, unless tombstoned."],
  ["tombstoned", "Out for ever with this key."],
  ["unbonding", "On its way out; what is unbonding can still be slashed for what was done before."],
  ["halted", "Consensus has stopped on this node; the process is up and prints why."],
  [
    "decided, not applied",
    "The block is agreed on, but the binaries at hand cannot execute it: the moment of an upgrade.",
  ],
  ["Handler", "The code in a binary that carries out an upgrade plan of the same name."],
] as const;

const LEFT_OUT =
  "Gossip delays inside a round, mempool fees and gas, real downloads, the RPC of CometBFT, and IBC. Commits are kept compact: who signed, not every signature.";

export default function Help() {
  return (
    <Dialog title="Keys and words" wide>
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
          <h3>Words</h3>
          <dl className={css.words}>
            {WORDS.map(([word, meaning]) => (
              <div key={word}>
                <dt>{word}</dt>
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
