import { useFrameState, usePage } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import { liveHeight, shownHeight, travelTo } from "../../store/travel.ts";
import type { Block } from "../../store/types.ts";
import { useQuery } from "../../store/use-query.ts";
import { Fact, Facts, LongId, Moment } from "../../widgets/Facts.tsx";
import { count, list } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { useNames } from "../../widgets/use-names.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import { CommitFacts } from "./CommitFacts.tsx";
import { HeaderFacts } from "./HeaderFacts.tsx";
import css from "./inspect.module.css";

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  refused: "cross",
  ignored: "minus",
  halt: "stop",
};
const NAMED_UP_TO = 6;

export function BlockFacts({ height }: { height: number }) {
  // A block does not change; the previous one stays until the next is loaded, marked as such.
  const { answer: block, problem } = useQuery(String(height), (lab) => lab.getBlock({ height }));
  const page = usePage();
  const shown = useFrameState(shownHeight);
  const newest = useFrameState(liveHeight);
  const first = useFrameState(({ frame }) => frame?.chain?.initialHeight ?? 1);
  if (problem) return <p className="soft">{problem}</p>;
  if (!block) return <p className="soft">Reading…</p>;
  const go = (to: number) => goTo({ selection: { kind: "block", id: String(to) } });
  return (
    <>
      <div className={css.actions}>
        <button type="button" disabled={height <= first} onClick={() => go(height - 1)}>
          Earlier
        </button>
        <button type="button" disabled={height >= newest} onClick={() => go(height + 1)}>
          Later
        </button>
        <WhyButton kind="block" id={String(height)} of={`block ${count(height)}`} />
        {height !== shown && (
          <button
            type="button"
            onClick={() => travelTo(page, height)}
            title="Show the whole page as it was at the end of this block"
          >
            Travel here
          </button>
        )}
      </div>
      <div className={css.facts} aria-busy={block.height !== height}>
        <Facts>
          <Fact name="time">
            <Moment time={block.time} />
          </Fact>
          <Fact name="proposed by">{block.proposer}</Fact>
          <Fact name="round">{block.round}</Fact>
          <Fact name="block hash">
            <LongId id={block.hash} name="block hash" />
          </Fact>
          <Fact name="app hash after it">
            <LongId id={block.appHash} name="app hash" />
          </Fact>
          <Fact name="signed by">{signers(block.absent)}</Fact>
        </Facts>
        <Evidence block={block} />
        <Transactions block={block} />
        <Events block={block} />
        <Steps block={block} />
        <OnDemand key={`commit ${height}`} title="Commit">
          {() => <CommitFacts height={height} />}
        </OnDemand>
        {block.header && <Header header={block.header} />}
      </div>
    </>
  );
}

function signers(absent: readonly string[]): string {
  if (absent.length === 0) return "all validators";
  return absent.length > NAMED_UP_TO
    ? `all but ${count(absent.length)}`
    : `all but ${list(absent)}`;
}

function Header({ header }: { header: NonNullable<Block["header"]> }) {
  return <OnDemand title="Header">{() => <HeaderFacts header={header} />}</OnDemand>;
}

function Evidence({ block }: { block: Block }) {
  if (block.evidence.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>Evidence in it</h3>
      <ul className={css.steps}>
        {block.evidence.map((one) => (
          <li key={one.hash}>
            <Icon name="info" size={14} />
            <span>
              {one.kind} at height {count(one.height)}{" "}
              <span className="soft">
                {one.nodes.length > 0 ? `by ${list(one.nodes)}` : "by no known validator"}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Transactions({ block }: { block: Block }) {
  const named = useNames();
  if (block.txs.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>Transactions</h3>
      <ul className={css.steps}>
        {block.txs.map((tx, i) => (
          <li key={tx.hash} data-outcome={tx.code === 0 ? "ok" : "refused"}>
            <Icon name={tx.code === 0 ? "check" : "cross"} size={14} />
            <span>
              {tx.messages.join(", ")} <span className="soft">from {named(tx.signer)}</span>
              {tx.code !== 0 && (
                <span className="mono">
                  {" "}
                  {tx.codespace} {tx.code}: {tx.log}
                </span>
              )}{" "}
              <WhyButton kind="tx" id={tx.hash} of={`transaction ${i + 1}`} inline />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Events({ block }: { block: Block }) {
  if (block.events.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>Events</h3>
      <ul className={css.steps}>
        {block.events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block's events never change
          <li key={i}>
            <Icon name="info" size={14} />
            <span>
              {event.type}{" "}
              <span className={css.attributes}>
                {event.attributes.map(({ key, value }) => `${key}=${value}`).join(" ")}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Steps({ block }: { block: Block }) {
  const named = useNames();
  if (block.steps.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>Steps</h3>
      <ul className={css.steps}>
        {block.steps.map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block's steps never change
          <li key={i} data-outcome={step.outcome}>
            <Icon name={ICONS[step.outcome] ?? "info"} size={14} />
            <span>
              <span className="soft">{step.what}:</span> {named(step.found)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
