import { useActions, useFrameState, usePage } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { Fork, Frame, Node } from "../../store/types.ts";
import { powerOf } from "../../store/validators.ts";
import { count, list, percent, short } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { SteerButton } from "../../widgets/SteerButton.tsx";
import css from "./DivergenceCards.module.css";

const NAMED_UP_TO = 6;

/** A forked chain: the nodes and power of both forks, and the validators that vote on both. */
export function ForkCard({ split }: { split: Fork }) {
  const frame = useFrameState((world) => world.frame);
  if (!frame?.forks.length) return <Met split={split} />;
  return <Split split={split} frame={frame} />;
}

interface SplitProps {
  split: Fork;
  frame: Frame;
}

function Split({ split, frame }: SplitProps) {
  const { act } = useActions();
  const { nodes, validators } = frame;
  const forks = frame.forks.length;
  const height = frame.chain?.height ?? 0;
  const total = frame.chainStatus?.totalPower ?? 0;
  const there = nodes.filter(({ name }) => split.nodes.includes(name));
  const sides = new Set(there.map(({ partition }) => partition));
  const here = nodes.filter(({ partition }) => !sides.has(partition));
  const keys = new Set(there.map(({ validator }) => validator));
  const both = here.filter(({ validator }) => keys.has(validator));
  const diverged = split.height > 0;
  return (
    <section className={`card ${css.card}`} aria-labelledby="split" data-testid="fork-card">
      <header className={css.head}>
        <h2 id="split">The chain has forked</h2>
        <SteerButton onClick={() => act({ partition: "heal" }, "The network is healed.")}>
          Heal the network
        </SteerButton>
      </header>
      <p>
        Block {count(split.common)} is the last in common.{" "}
        {diverged
          ? `At height ${count(split.height)} each fork has a final block of its own.`
          : "Each partition has a quorum; their next blocks will differ."}
        {forks > 1 && ` There are ${forks} other forks; this is one of them.`}
      </p>
      <div className={css.sides}>
        <Side
          title="This chain"
          newest={height}
          at={split.height}
          hash={split.hash}
          nodes={here}
          power={powerOf(validators, here)}
          total={total}
        />
        <Side
          title="The other fork"
          newest={split.newest}
          at={split.height}
          hash={split.otherHash}
          nodes={there}
          power={powerOf(validators, there)}
          total={total}
        />
      </div>
      {both.length > 0 && (
        <p className="small soft">
          {list(both.map(({ name }) => name))} {both.length === 1 ? "votes" : "vote"} on both forks
          with one key. When the network heals, those votes become evidence.
        </p>
      )}
    </section>
  );
}

interface SideProps {
  title: string;
  newest: number;
  /** Where the blocks differ; 0 while none do. */
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
        <dt className={css.title}>{title}</dt>
        <dd>at {count(newest)}</dd>
      </div>
      {at > 0 && (
        <div>
          <dt>block {count(at)}</dt>
          <dd className="mono" title={hash}>
            {short(hash)}
          </dd>
        </div>
      )}
      <div>
        <dt>nodes</dt>
        <dd>
          {names.slice(0, NAMED_UP_TO).join(", ")}
          {names.length > NAMED_UP_TO && ` and ${names.length - NAMED_UP_TO} more`}
        </dd>
      </div>
      <div>
        <dt>power</dt>
        <dd>
          {count(power)} of {count(total)} <span className="soft">{percent(power, total)}</span>
        </dd>
      </div>
    </dl>
  );
}

/** The network has healed: the votes on both forks are evidence. */
function Met({ split }: { split: Fork }) {
  const { frames } = usePage();
  const onChain = useFrameState(({ frame }) => frame?.evidence);
  const evidence = (onChain ?? []).filter(
    ({ height }) => height > split.common && height <= Math.max(split.newest, split.common + 1),
  );
  return (
    <section className={`card ${css.card}`} aria-labelledby="met" data-testid="fork-card">
      <header className={css.head}>
        <h2 id="met">The network has healed</h2>
        <button
          type="button"
          data-plain=""
          aria-label="Dismiss"
          onClick={() => frames.setState({ split: undefined })}
        >
          <Icon name="close" size={14} />
        </button>
      </header>
      {evidence.length === 0 ? (
        <p>
          This chain is kept. Votes on both forks are evidence for the next block; nodes of the
          other fork hold orphaned blocks.
        </p>
      ) : (
        <p>
          This chain is kept. The votes on both forks are on chain as evidence:{" "}
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
    </section>
  );
}
