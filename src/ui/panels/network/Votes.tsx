import { useRound } from "../../store/page.ts";
import { STAGE } from "../../store/rounds.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./Votes.module.css";

/** A vote for no block is labelled nil; a missing one is a line. */
const VOTE: Readonly<Record<string, string>> = { nil: "nil", none: "–", "": "·" };

/** A validator's prevote and precommit in the newest round, each for the block, nil, or absent. */
export default function Votes({ name }: { name: string }) {
  const vote = useRound(({ drawn }) => drawn?.round.votes.find(({ node }) => node === name));
  const stage = useRound(({ drawn }) => drawn?.stage ?? STAGE.proposal);
  if (vote === undefined) return null;
  const texts = [
    stage >= STAGE.prevotes ? vote.prevote : "",
    stage >= STAGE.precommits ? vote.precommit : "",
  ];
  const text = `prevote ${texts[0] || "to come"}, precommit ${texts[1] || "to come"}`;
  return (
    <span className={css.votes} title={vote.why ? `${text}: ${vote.why}` : text}>
      <span className="hidden">{text}</span>
      {texts.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the first is the prevote, the second the precommit
        <span key={i} data-vote={one} aria-hidden="true">
          {one === "block" ? <Icon name="check" size={14} /> : VOTE[one]}
        </span>
      ))}
    </span>
  );
}
