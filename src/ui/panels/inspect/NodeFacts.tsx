import { act } from "../../store/actions.ts";
import { openDialog } from "../../store/dialog.ts";
import { useWorld } from "../../store/frame-store.ts";
import type { Node } from "../../store/types.ts";
import { BinaryChip } from "../../widgets/BinaryChip.tsx";
import { Fact, Facts, LongId } from "../../widgets/Facts.tsx";
import { amount, count, percent } from "../../widgets/format.ts";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { StateWord } from "../../widgets/StateWord.tsx";
import { processState, sideName, validatorState } from "../../widgets/words.ts";
import { Divergence } from "../cards/Divergence.tsx";
import { DiskFiles } from "./DiskFiles.tsx";
import css from "./inspect.module.css";

export function NodeFacts({ name }: { name: string }) {
  const node = useWorld(({ frame }) => frame?.nodes.find((each) => each.name === name));
  const total = useWorld(({ frame }) => frame?.chainStatus?.totalPower ?? 0);
  const denom = useWorld(({ frame }) => frame?.chain?.denom ?? "");
  if (!node) return <p className="soft">There is no validator of this name on this chain.</p>;
  const status = validatorState(node);
  return (
    <>
      <div className={css.rows}>
        {status && <StateWord state={status} meaning />}
        <StateWord state={processState(node.process)} meaning />
      </div>
      {node.reason && <p className="quote">{node.reason}</p>}
      <Facts>
        <Fact name="power">
          {count(node.power)} <span className="soft">{percent(node.power, total)}</span>
        </Fact>
        <Fact name="stake">
          {amount(node.tokens)} {denom}
        </Fact>
        <Fact name="burned">
          {amount(node.burned)} {denom}
        </Fact>
        <Fact name="missed blocks">{count(node.missedBlocks)}</Fact>
        <Fact name="binary">
          <BinaryChip name={node.binary} />
        </Fact>
        {node.staged && (
          <Fact name="on its disk">
            <BinaryChip name={node.staged} />
          </Fact>
        )}
        <Fact name="applied height">{count(node.height)}</Fact>
        {node.partition > 0 && <Fact name="network is cut">on {sideName(node.partition)}</Fact>}
        {node.skipUpgradeHeights.length > 0 && (
          <Fact name="skips upgrades at">{node.skipUpgradeHeights.join(", ")}</Fact>
        )}
        <Fact name="consensus address">
          <LongId id={node.consensusAddress} name="consensus address" />
        </Fact>
        <Fact name="operator">
          <LongId id={node.operatorAddress} name="operator address" />
        </Fact>
      </Facts>
      {node.upgradeInfo && (
        <div className={css.group}>
          <h3>data/upgrade-info.json</h3>
          <pre className="quote" style={{ whiteSpace: "pre-wrap" }}>
            {node.upgradeInfo}
          </pre>
        </div>
      )}
      <Faults node={node} />
      <Actions node={node} />
      <OnDemand key={`disk of ${name}`} title="Files on its disk">
        {() => <DiskFiles node={name} />}
      </OnDemand>
      <OtherState key={`state of ${name}`} node={node} />
    </>
  );
}

const FAULTS: Readonly<Record<string, string>> = {
  crash: "crashes while it applies a block",
  slow: "slow: everything it says comes too late",
  mute: "mute: it follows and says nothing",
  clock: "its clock is wrong",
  flaky: "flaky: it says nothing now and then",
  signer: "its signer remembers a later height and refuses",
};

/** A fault of a machine in a few words. */
const faultMeaning = (kind: string): string => FAULTS[kind] ?? kind;

/** What is wrong with the machine, and the way to take it back. */
function Faults({ node: { name, faults } }: { node: Node }) {
  // What is in the signer's file is nobody's fault to take back.
  const ours = faults.some(({ kind }) => kind !== "signer");
  if (faults.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>What is wrong with it</h3>
      <ul className={css.faults}>
        {faults.map(({ kind, from, to }) => (
          <li key={`${kind}${from}`}>
            {faultMeaning(kind)},{" "}
            <span className="soft">
              {to === 0 ? "until it is taken back" : `up to height ${count(to)}`}
            </span>
          </li>
        ))}
      </ul>
      {ours && (
        <div className={css.actions}>
          <button
            type="button"
            onClick={() => act({ fault: { clear: name } }, `${name} is sound again.`)}
          >
            Take it back
          </button>
        </div>
      )}
    </div>
  );
}

/** Shown where somebody holds another state than this node. */
function OtherState({ node: { name, appHash } }: { node: Node }) {
  const other = useWorld(
    ({ frame }) => frame?.nodes.find((one) => one.name !== name && one.appHash !== appHash)?.name,
  );
  if (other === undefined) return null;
  return (
    <OnDemand title="How its state differs">
      {() => <Divergence key={other} before={name} after={other} />}
    </OnDemand>
  );
}

function Actions({ node }: { node: Node }) {
  const binaries = useWorld(({ frame }) => frame?.binaries);
  const { name } = node;
  const nodes = (what: object) => ({ nodes: { which: [name], ...what } });
  return (
    <div className={css.group}>
      <h3>What it can do</h3>
      <div className={css.actions}>
        {!node.tombstoned && (
          <button type="button" onClick={() => openDialog("double-sign", name)}>
            Sign twice…
          </button>
        )}
        {node.process === "running" ? (
          <button type="button" onClick={() => act(nodes({ stop: true }), `${name} is stopped.`)}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={() => act(nodes({ start: true }), `${name} is started.`)}>
            Start with {node.binary}
          </button>
        )}
        {binaries
          ?.filter((binary) => binary.name !== node.binary)
          .map((binary) => (
            <button
              key={binary.name}
              type="button"
              onClick={() =>
                act(nodes({ binary: binary.name }), `${name} now runs ${binary.name}.`)
              }
            >
              Switch to {binary.name}
            </button>
          ))}
        <button type="button" onClick={() => openDialog("trouble", name)}>
          FaultForm…
        </button>
      </div>
    </div>
  );
}
