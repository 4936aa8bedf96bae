import { useActions, useFrameState } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import type { Frame, Tampered } from "../../store/types.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { LongId } from "../../widgets/Facts.tsx";
import { count, list } from "../../widgets/format.ts";
import { showKey } from "../state/position.ts";
import css from "./band.module.css";
import { Situation } from "./Situation.tsx";

/** Reports an impossible world: its manual edits, and the resulting mismatches. */
export default function ImpossibleBand() {
  const frame = useFrameState((world) => world.frame);
  const last = frame?.tampered.at(-1);
  if (frame === undefined || last === undefined) return null;
  const { height, store, key, appHash, heldAppHash } = last;
  const after = count(height);
  const next = count(height + 1);
  const begins = frame.chain?.initialHeight ?? 1;
  if (height < begins) return <ImpossibleGenesis store={store} after={after} begins={begins} />;
  return (
    <Situation
      headline={
        <>
          Impossible: a byte of {store} was changed by hand after block {after}
          {frame.tampered.length > 1 && `, and ${count(frame.tampered.length - 1)} before`}.
        </>
      }
      testId="impossible"
      tone="bad"
      beside={
        <div className={css.actions}>
          <button
            type="button"
            onClick={() => {
              showKey({ world: frame.world, height, store, key });
              goTo({ view: "state" });
            }}
          >
            Show the key
          </button>
          <Again frame={frame} tampered={last} />
        </div>
      }
    >
      <p>
        The blocks up to {after} lead to the app hash <LongId id={appHash} name="the app hash" />,
        and every node holds <LongId id={heldAppHash} name="the other app hash" />,
        {(frame.chain?.height ?? 0) > height
          ? ` which the header of block ${next} says.`
          : ` which the header of block ${next} will say.`}
      </p>
      <Disagreeing frame={frame} tampered={last} />
    </Situation>
  );
}

interface ImpossibleGenesisProps {
  store: string;
  after: string;
  begins: number;
}

/** The same for a chain that started from such a state: its own blocks match their genesis. */
function ImpossibleGenesis({ store, after, begins }: ImpossibleGenesisProps) {
  return (
    <Situation
      headline="Impossible: it began from a state that was changed by hand."
      testId="impossible"
      tone="bad"
    >
      <p>
        In the chain that it goes on from, a byte of {store} was changed after block {after}, which
        no block does. Blocks from {count(begins)} on fit that state.
      </p>
    </Situation>
  );
}

interface DisagreeingProps {
  frame: Frame;
  tampered: Tampered;
}

/** The nodes that halted since they executed the blocks. */
function Disagreeing({ frame, tampered }: DisagreeingProps) {
  const names = disagreeing(frame, tampered).map(({ name }) => name);
  if (names.length === 0) {
    return <p>No node has executed the blocks again: one that does will halt.</p>;
  }
  return (
    <p>
      {list(names)} executed the blocks and disagreed: halted at block {count(tampered.height + 1)}.
    </p>
  );
}

const disagreeing = ({ nodes }: Frame, { heldAppHash }: Tampered): Frame["nodes"] =>
  nodes.filter(({ cause }) => cause?.kind === "wrong_app_hash" && cause.got === heldAppHash);

/** Makes a node execute all blocks from genesis. */
function Again({ frame, tampered }: DisagreeingProps) {
  const { act } = useActions();
  const { chain, nodes } = frame;
  const node = nodes.findLast(({ process }) => process === "running")?.name;
  const needsBlock = (chain?.height ?? 0) <= tampered.height;
  if (node === undefined || disagreeing(frame, tampered).length > 0) return null;
  return (
    <ControlButton
      disabled={needsBlock}
      title={
        needsBlock ? "Once the next block is there, whose header says the app hash." : undefined
      }
      onClick={async () => {
        await act({ nodes: { which: [node], wipe: true } }, `${node} has lost its data.`);
        await act(
          { nodes: { which: [node], start: true } },
          `${node} is started, to execute all blocks again.`,
        );
      }}
    >
      Have {node} execute all blocks again
    </ControlButton>
  );
}
