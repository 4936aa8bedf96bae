import { faultDoes } from "../../../client/fault-kinds.ts";
import { useActions, useFrameState } from "../../store/page.ts";
import type { Node as NodeView, Validator } from "../../store/types.ts";
import { BinaryChip } from "../../widgets/BinaryChip.tsx";
import { ControlButton, useOnlyWatches } from "../../widgets/ControlButton.tsx";
import { Fact, Facts, LongId, WithHashes } from "../../widgets/Facts.tsx";
import { amount, count, percent } from "../../widgets/format.ts";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { StateLabel } from "../../widgets/StateLabel.tsx";
import {
  faultLabel,
  NO_NODE,
  partitionName,
  processState,
  validatorState,
} from "../../widgets/states.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import { Divergence } from "../cards/Divergence.tsx";
import { whenPlanned } from "../network/InjectedFaults.tsx";
import { DiskFiles } from "./DiskFiles.tsx";
import css from "./inspect.module.css";
import { Staking } from "./Staking.tsx";
import { StateCauses } from "./StateCauses.tsx";

/** A node and the validator whose key it has; one of the two may be missing. */
export function NodeFacts({ name }: { name: string }) {
  const node = useFrameState(({ frame }) => frame?.nodes.find((each) => each.name === name));
  const key = node?.validator ?? name;
  const validator = useFrameState(({ frame }) =>
    frame?.validators.find((each) => each.name === key),
  );
  if (!validator) return <p className="soft">There is no validator of this name on this chain.</p>;
  const status = validatorState(validator);
  return (
    <>
      <div className={css.rows}>
        {status && <StateLabel state={status} meaning />}
        <StateLabel state={node ? processState(node) : NO_NODE} meaning />
      </div>
      <div className={css.actions}>
        <WhyButton kind="validator" id={key} of={key} />
      </div>
      {status && <StateCauses key={key} validator={validator} />}
      {node?.reason && (
        <p className="quote">
          <WithHashes text={node.reason} />
        </p>
      )}
      <Facts>
        {node && node.name !== key && <Fact name="has the key of">{key}</Fact>}
        <ValidatorRows validator={validator} />
        {node && <NodeRows node={node} />}
        <Fact name="consensus address">
          <LongId id={validator.consensusAddress} name="consensus address" />
        </Fact>
        <Fact name="operator">
          <LongId id={validator.operatorAddress} name="operator address" />
        </Fact>
      </Facts>
      {validator.bond !== "removed" && <Staking validator={validator} />}
      {node && <NodeDetails node={node} tombstoned={validator.tombstoned} />}
    </>
  );
}

function ValidatorRows({ validator }: { validator: Validator }) {
  const total = useFrameState(({ frame }) => frame?.chainStatus?.totalPower ?? 0);
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  return (
    <>
      <Fact name="power">
        {count(validator.power)}{" "}
        {validator.power > 0 && <span className="soft">{percent(validator.power, total)}</span>}
      </Fact>
      <Fact name="stake">
        {amount(validator.tokens)} {denom}
      </Fact>
      <Fact name="burned">
        {amount(validator.burned)} {denom}
      </Fact>
      <Fact name="missed blocks">{count(validator.missedBlocks)}</Fact>
    </>
  );
}

function NodeRows({ node }: { node: NodeView }) {
  return (
    <>
      <Fact name="binary">
        <BinaryChip name={node.binary} />
      </Fact>
      {node.staged && (
        <Fact name="on its disk">
          <BinaryChip name={node.staged} />
        </Fact>
      )}
      <Fact name="applied height">{count(node.height)}</Fact>
      {node.partition > 0 && <Fact name="partition">in {partitionName(node.partition)}</Fact>}
      {node.skipUpgradeHeights.length > 0 && (
        <Fact name="skips upgrades at">{node.skipUpgradeHeights.join(", ")}</Fact>
      )}
      {node.haltHeight > 0 && <Fact name="halts at block">{count(node.haltHeight)}</Fact>}
      {node.haltTime && <Fact name="halts at time">{node.haltTime}</Fact>}
    </>
  );
}

/** A node's disk, its faults and its actions. */
function NodeDetails({ node, tombstoned }: { node: NodeView; tombstoned: boolean }) {
  const { name } = node;
  return (
    <>
      {node.upgradeInfo && (
        <div className={css.group}>
          <h3>data/upgrade-info.json</h3>
          <pre className="quote" style={{ whiteSpace: "pre-wrap" }}>
            {node.upgradeInfo}
          </pre>
        </div>
      )}
      <Faults node={node} />
      <Actions node={node} tombstoned={tombstoned} />
      <OnDemand key={`disk of ${name}`} title="Files on its disk">
        {() => <DiskFiles node={name} />}
      </OnDemand>
      <OtherState key={`state of ${name}`} node={node} />
    </>
  );
}

/** The node's faults, and a button that clears them. */
function Faults({ node: { name, faults } }: { node: NodeView }) {
  const { act } = useActions();
  // A later height in the signer's file is not injected, so it cannot be cleared.
  const frameFaults = useFrameState(({ frame }) => frame?.faults?.faults);
  const planned = frameFaults?.filter((fault) => fault.planned && fault.node === name) ?? [];
  const injected = planned.length > 0 || faults.some(({ kind }) => kind !== "signer");
  if (faults.length + planned.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>Faults</h3>
      <ul className={css.faults}>
        {faults.map(({ kind, from, to }) => (
          <li key={`${kind}${from}`}>
            {faultLabel(kind)}: it {faultDoes(kind)},{" "}
            <span className="soft">{to === 0 ? "until cleared" : `up to height ${count(to)}`}</span>
          </li>
        ))}
        {planned.map((fault) => (
          <li key={`planned ${fault.kind}${fault.from}`}>
            {faultLabel(fault.kind)}: it {faultDoes(fault.kind)},{" "}
            <span className="soft">{whenPlanned(fault)}</span>
          </li>
        ))}
      </ul>
      {injected && (
        <div className={css.actions}>
          <ControlButton
            onClick={() => act({ fault: { clear: name } }, `The faults of ${name} are cleared.`)}
          >
            Clear faults
          </ControlButton>
        </div>
      )}
    </div>
  );
}

/** Shown if another node has a different state. */
function OtherState({ node: { name, appHash } }: { node: NodeView }) {
  const other = useFrameState(
    ({ frame }) => frame?.nodes.find((one) => one.name !== name && one.appHash !== appHash)?.name,
  );
  if (other === undefined) return null;
  return (
    <OnDemand title="How its state differs">
      {() => <Divergence key={other} before={name} after={other} />}
    </OnDemand>
  );
}

function Actions({ node, tombstoned }: { node: NodeView; tombstoned: boolean }) {
  const { act, openDialog } = useActions();
  const binaries = useFrameState(({ frame }) => frame?.binaries);
  const { name } = node;
  const nodes = (what: object) => ({ nodes: { which: [name], ...what } });
  if (useOnlyWatches()) return null;
  return (
    <div className={css.group}>
      <h3>Actions</h3>
      <div className={css.actions}>
        {!tombstoned && (
          <ControlButton onClick={() => openDialog("double-sign", name)}>
            Double sign…
          </ControlButton>
        )}
        {node.process === "running" ? (
          <ControlButton onClick={() => act(nodes({ stop: true }), `${name} is stopped.`)}>
            Stop
          </ControlButton>
        ) : (
          <ControlButton onClick={() => act(nodes({ start: true }), `${name} is started.`)}>
            Start with {node.binary}
          </ControlButton>
        )}
        {binaries
          ?.filter((binary) => binary.name !== node.binary)
          .map((binary) => (
            <ControlButton
              key={binary.name}
              onClick={() =>
                act(nodes({ binary: binary.name }), `${name} now runs ${binary.name}.`)
              }
            >
              Switch to {binary.name}
            </ControlButton>
          ))}
        <ControlButton onClick={() => openDialog("faults", name)}>Inject a fault…</ControlButton>
      </div>
    </div>
  );
}
