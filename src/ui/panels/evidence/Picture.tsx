import type { ReactNode } from "react";
import { Pictured } from "../../pictures/Pictured.tsx";
import { useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { ConflictingVote, EvidencePiece, LightClientAttack } from "../../store/types.ts";
import { LongId } from "../../widgets/Facts.tsx";
import { amount, count, dayClock, list } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { attackText, namesAndMore } from "./evidence-words.ts";
import css from "./Picture.module.css";

/** The two conflicting signed messages, side by side, and how they became evidence. */
export function Picture({ piece }: { piece: EvidencePiece }) {
  const { attack, line, votes } = piece;
  const [a, b] = votes;
  const who = line?.validators[0] ?? "";
  if (attack) {
    return (
      <Pair
        title={`Two blocks at height ${count(attack.height)}`}
        a={<OwnBlock attack={attack} />}
        b={<ShownBlock attack={attack} />}
        about={<AboutAttack piece={piece} attack={attack} />}
      />
    );
  }
  if (a && b) {
    return (
      <Pair
        title={`Double vote of ${who}`}
        a={<Vote vote={a} letter="A" who={who} />}
        b={<Vote vote={b} letter="B" who={who} />}
        about={<AboutVotes piece={piece} vote={a} />}
      />
    );
  }
  return line?.source === "app" && who ? (
    <p className={css.none}>
      Handed to the application without votes: the evidence says that {who} misbehaved at height{" "}
      {count(line.height)} with power {amount(piece.power)}.
    </p>
  ) : null;
}

interface PairProps {
  title: string;
  a: ReactNode;
  b: ReactNode;
  about: ReactNode;
}

function Pair({ title, a, b, about }: PairProps) {
  return (
    <Pictured title={title}>
      <div className={css.picture}>
        <div className={css.card}>{a}</div>
        <span className={css.unlike} role="img" aria-label="conflicts with">
          ≠
        </span>
        <div className={css.card} data-false="">
          {b}
        </div>
        <div className={css.card} data-about="">
          {about}
        </div>
      </div>
    </Pictured>
  );
}

interface VoteProps {
  vote: ConflictingVote;
  letter: string;
  who: string;
}

function Vote({ vote, letter, who }: VoteProps) {
  const { type, height, blockHash, onChain, timestamp } = vote;
  return (
    <>
      <p className={css.head}>
        <span className={css.letter}>{letter}</span>
        <span>
          {type} of <b>{who}</b>
        </span>
      </p>
      <p className={css.hash}>
        {blockHash ? <LongId id={blockHash} name={`block hash of vote ${letter}`} /> : "nil"}
      </p>
      <p className={css.verdict} data-on-chain={onChain || undefined}>
        <Icon name={onChain ? "check" : "cross"} size={14} />
        {onChain
          ? `this is block ${count(height)}`
          : blockHash
            ? "no such block on this chain"
            : "for no block"}
      </p>
      {timestamp && (
        <p className={css.small}>
          signed <Clock time={timestamp} />
        </p>
      )}
    </>
  );
}

function AboutVotes({ piece, vote }: { piece: EvidencePiece; vote: ConflictingVote }) {
  return (
    <>
      <p className={css.head}>
        same key · height {count(vote.height)} · round {vote.round}
      </p>
      <Becoming piece={piece} both="both votes" />
    </>
  );
}

function OwnBlock({ attack }: { attack: LightClientAttack }) {
  const { height, ownHash, ownRound } = attack;
  return (
    <>
      <p className={css.head}>
        <span className={css.letter}>A</span>
        <span>the chain’s block {count(height)}</span>
      </p>
      <p className={css.hash}>
        {ownHash ? <LongId id={ownHash} name="hash of the chain’s block" /> : "none yet"}
      </p>
      {ownHash && <p className={css.small}>decided in round {ownRound}</p>}
    </>
  );
}

function ShownBlock({ attack }: { attack: LightClientAttack }) {
  const { blockHash, round, signers, height } = attack;
  return (
    <>
      <p className={css.head}>
        <span className={css.letter}>B</span>
        <span>block {count(height)} as a light client was shown it</span>
      </p>
      <p className={css.hash}>
        <LongId id={blockHash} name="hash of the block shown" />
      </p>
      <p className={css.verdict}>
        <Icon name="cross" size={14} />
        no such block on this chain
      </p>
      <p className={css.small}>
        signed in round {round} by {list(signers)}
      </p>
    </>
  );
}

function AboutAttack({ piece, attack }: { piece: EvidencePiece; attack: LightClientAttack }) {
  return (
    <>
      <p className={css.head}>both agree up to block {count(attack.commonHeight)}</p>
      <p className={css.small}>{attackText(piece.line?.kind ?? "")}</p>
      <Becoming piece={piece} both="both blocks" />
    </>
  );
}

/** The node that had both messages, the time, and the block with the evidence. */
function Becoming({ piece, both }: { piece: EvidencePiece; both: string }) {
  const { line, notice, blockTime } = piece;
  const block = line?.block ?? 0;
  return (
    <>
      {notice ? (
        <p>
          <b>{namesAndMore(notice.nodes, notice.more)}</b> had {both} when block{" "}
          {count(notice.height)} was committed
        </p>
      ) : (
        line?.outcome === "signed" && <p>No honest node has {both} yet: it cannot be known.</p>
      )}
      {line?.source === "tx" && <p>Brought by an account, in a transaction</p>}
      {block > 0 ? (
        <p>
          carried by{" "}
          <a href={hrefTo({ selection: { kind: "block", id: String(block) } })}>
            block {count(block)}
          </a>
          {blockTime && (
            <span className={css.small}>
              {" "}
              at <Clock time={blockTime} />
            </span>
          )}
        </p>
      ) : (
        line?.outcome === "waiting" && <p>It waits for the next block.</p>
      )}
      {line?.hash && (
        <p>
          stored as <LongId id={line.hash} name="evidence hash" />
        </p>
      )}
    </>
  );
}

/** A time of the chain in its shortest distinct form; complete on hover. */
function Clock({ time }: { time: string }) {
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  return (
    <time dateTime={time} title={time}>
      {dayClock(time, genesis)}
    </time>
  );
}
