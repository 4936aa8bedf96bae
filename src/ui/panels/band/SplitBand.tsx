import { threshold } from "../../store/halt.ts";
import { useActions, useFrameState, usePage } from "../../store/page.ts";
import { powerOf } from "../../store/power.ts";
import { hrefTo } from "../../store/route.ts";
import { sidesOf } from "../../store/situation.ts";
import type { Fork, Frame, Node } from "../../store/types.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { LongId } from "../../widgets/Facts.tsx";
import { count, list, percent } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { partitionName, sideLetter } from "../../widgets/states.ts";
import css from "./band.module.css";
import { isStoryRunning } from "./playing-story.ts";
import { Situation } from "./Situation.tsx";

const NAMED_UP_TO = 6;
const SIDES_SHOWN = 4;

/** A forked chain: the nodes and power of both forks, and the validators that vote on both. */
export default function SplitBand() {
  const frame = useFrameState((world) => world.frame);
  const split = useFrameState((world) => world.split);
  if (!frame) return null;
  if (split && frame.forks.length > 0) return <Split split={split} frame={frame} />;
  if (sidesOf(frame.nodes) > 1) return <Cut frame={frame} />;
  return split ? <MergedFork split={split} /> : null;
}

interface SplitProps {
  split: Fork;
  frame: Frame;
}

function Split({ split, frame }: SplitProps) {
  const { nodes, validators } = frame;
  const forks = frame.forks.length;
  const total = frame.chainStatus?.totalPower ?? 0;
  const there = nodes.filter(({ name }) => split.nodes.includes(name));
  const sides = new Set(there.map(({ partition }) => partition));
  const here = nodes.filter(({ partition }) => !sides.has(partition));
  const keys = new Set(there.map(({ validator }) => validator));
  const both = here.filter(({ validator }) => keys.has(validator));
  const diverged = split.height > 0;
  return (
    <Situation
      headline={
        diverged
          ? `Two different blocks are final at height ${count(split.height)}, and both sides continue.`
          : "Each side of the cut network has enough power for blocks of its own."
      }
      testId="fork-card"
      tone="bad"
      beside={<Heal />}
    >
      <p>
        Block {count(split.common)} is the last in common.
        {forks > 1 && ` There are ${forks} other forks; this is one of them.`}
        {both.length > 0 &&
          ` ${list(both.map(({ name }) => name))} ${both.length === 1 ? "votes" : "vote"} on both sides with one key: when the network heals, those votes become evidence.`}
      </p>
      <div className={css.sides}>
        <Side
          title="This chain"
          newest={frame.chain?.height ?? 0}
          at={split.height}
          hash={split.hash}
          nodes={here}
          power={powerOf(validators, here)}
          total={total}
        />
        <Side
          title="The other chain"
          newest={split.newest}
          at={split.height}
          hash={split.otherHash}
          nodes={there}
          power={powerOf(validators, there)}
          total={total}
        />
      </div>
    </Situation>
  );
}

function Heal() {
  const { act } = useActions();
  const first = useFrameState(isStoryRunning) ? undefined : "";
  return (
    <div className={css.actions}>
      <ControlButton
        data-primary={first}
        onClick={() => act({ partition: "heal" }, "The network is healed.")}
      >
        Heal the network
      </ControlButton>
    </div>
  );
}

/** A partitioned network with one chain: the sides and their powers. */
function Cut({ frame }: { frame: Frame }) {
  const { nodes, validators, chainStatus } = frame;
  const total = chainStatus?.totalPower ?? 0;
  const sides = Map.groupBy(nodes, ({ partition }) => partition);
  return (
    <Situation
      headline={
        <>
          The network is cut in {count(sides.size)}: a block needs{" "}
          {threshold(chainStatus?.neededPower ?? 0, total)} on one side.
        </>
      }
      testId="cut-band"
      beside={<Heal />}
    >
      <div className={css.sides}>
        {[...sides].slice(0, SIDES_SHOWN).map(([partition, there]) => (
          <Side
            key={partition}
            title={partitionName(partition)}
            at={0}
            hash=""
            newest={Math.max(...there.map(({ height }) => height))}
            nodes={there}
            power={powerOf(validators, there)}
            total={total}
          />
        ))}
      </div>
    </Situation>
  );
}

interface SideProps {
  title: string;
  newest: number;
  /** Height at which the blocks differ; 0 while none do. */
  at: number;
  hash: string;
  nodes: readonly Node[];
  power: number;
  total: number;
}

function Side({ title, newest, at, hash, nodes, power, total }: SideProps) {
  const names = nodes.map(({ name }) => name);
  return (
    <dl className={css.side} aria-label={title}>
      <div>
        <dt>
          <b className={css.letter}>{sideLetter(nodes[0]?.partition ?? 0)}</b>
          <span className="hidden">{title}, its nodes</span>
        </dt>
        <dd>
          {names.slice(0, NAMED_UP_TO).join(", ")}
          {names.length > NAMED_UP_TO && ` and ${names.length - NAMED_UP_TO} more`}
        </dd>
      </div>
      <div>
        <dt className="hidden">power</dt>
        <dd>
          <b>
            {count(power)} of {count(total)}
          </b>{" "}
          <span className="soft">{percent(power, total)}</span>
        </dd>
      </div>
      {at > 0 && (
        <div>
          <dt>block {count(at)}</dt>
          <dd>
            <LongId id={hash} name={`the hash of block ${at} on ${title.toLowerCase()}`} />
          </dd>
        </div>
      )}
      <div>
        <dt>newest</dt>
        <dd>{count(newest)}</dd>
      </div>
    </dl>
  );
}

/** The network has healed: votes on both forks are evidence. */
function MergedFork({ split }: { split: Fork }) {
  const { frames } = usePage();
  const onChain = useFrameState(({ frame }) => frame?.evidence);
  const evidence = (onChain ?? []).filter(
    ({ height }) => height > split.common && height <= Math.max(split.newest, split.common + 1),
  );
  return (
    <Situation
      headline="The network has healed; this chain is the main chain."
      testId="fork-card"
      beside={
        <div className={css.actions}>
          <button
            type="button"
            data-plain=""
            aria-label="Dismiss"
            onClick={() => frames.setState({ split: undefined })}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      }
    >
      {evidence.length === 0 ? (
        <p>
          Votes on both forks are evidence for the next block; nodes of the other fork hold orphaned
          blocks.
        </p>
      ) : (
        <p>
          The votes on both forks are on chain as evidence:{" "}
          {evidence.map(({ hash, validator, height }, i) => (
            <span key={hash}>
              {i > 0 && ", "}
              <a href={hrefTo({ selection: { kind: "evidence", id: hash } })}>{validator}</a> at
              height {count(height)}
            </span>
          ))}
          .
        </p>
      )}
    </Situation>
  );
}
