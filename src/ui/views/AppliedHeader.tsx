import { HeaderFacts } from "../panels/inspect/HeaderFacts.tsx";
import { hrefTo } from "../store/route.ts";
import { useQuery } from "../store/use-query.ts";
import { count } from "../widgets/format.ts";

/** The block in which an upgrade was applied: it shows the binaries and their block ranges. */
export function AppliedHeader({ name }: { name: string }) {
  const { answer, problem } = useQuery(name, (lab) => lab.getAppliedUpgrade({ name }));
  if (problem) return <p className="soft small">{problem}</p>;
  if (!answer) return <p className="soft small">Reading…</p>;
  const { height, meta } = answer;
  return (
    <>
      <p className="small">
        Applied in{" "}
        <a href={hrefTo({ selection: { kind: "block", id: String(height) } })}>
          block {count(height)}
        </a>
        .{!meta && " Under these rules a query shows the height alone."}
      </p>
      {meta?.header && <HeaderFacts header={meta.header} />}
    </>
  );
}
