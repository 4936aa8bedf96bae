import { useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import { Fact, Facts } from "../../widgets/Facts.tsx";
import { amount, count } from "../../widgets/format.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import css from "./inspect.module.css";

export function EvidenceFacts({ hash }: { hash: string }) {
  const evidence = useFrameState(({ frame }) => frame?.evidence.find((each) => each.hash === hash));
  if (!evidence) return <p className="soft">No evidence with this hash is stored on this chain.</p>;
  return (
    <>
      <p>Stored on chain, under the SHA-256 of its bytes:</p>
      <p className="quote">{evidence.hash}</p>
      <div className={css.actions}>
        <WhyButton kind="evidence" id={hash} of="this evidence" />
      </div>
      <Facts>
        <Fact name="type">{evidence.type}</Fact>
        <Fact name="validator">
          <a href={hrefTo({ selection: { kind: "node", id: evidence.validator } })}>
            {evidence.validator}
          </a>
        </Fact>
        <Fact name="height of the infraction">
          <BlockLink height={evidence.height} />
        </Fact>
        {evidence.block > 0 && (
          <Fact name="stored by">
            <BlockLink height={evidence.block} />
          </Fact>
        )}
        {evidence.burned !== "0" && <Fact name="burned">{amount(evidence.burned)}</Fact>}
        {evidence.power && <Fact name="power">{amount(evidence.power)}</Fact>}
      </Facts>
    </>
  );
}

function BlockLink({ height }: { height: number }) {
  return (
    <a href={hrefTo({ selection: { kind: "block", id: String(height) } })}>block {count(height)}</a>
  );
}
