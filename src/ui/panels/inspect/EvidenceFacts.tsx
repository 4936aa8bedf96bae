import { useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import { Fact, Facts, Moment } from "../../widgets/Facts.tsx";
import { count } from "../../widgets/format.ts";

export function EvidenceFacts({ hash }: { hash: string }) {
  const evidence = useFrameState(({ frame }) => frame?.evidence.find((each) => each.hash === hash));
  if (!evidence) return <p className="soft">No evidence with this hash is stored on this chain.</p>;
  return (
    <>
      <p>Stored on chain, under the SHA-256 of its bytes:</p>
      <p className="quote">{evidence.hash}</p>
      <Facts>
        <Fact name="type">{evidence.type}</Fact>
        <Fact name="validator">
          <a href={hrefTo({ selection: { kind: "node", id: evidence.validator } })}>
            {evidence.validator}
          </a>
        </Fact>
        <Fact name="height of the infraction">{count(evidence.height)}</Fact>
        {evidence.time && (
          <Fact name="time">
            <Moment time={evidence.time} />
          </Fact>
        )}
        {evidence.power && <Fact name="power">{evidence.power}</Fact>}
      </Facts>
    </>
  );
}
