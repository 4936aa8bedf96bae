import { useFrameState } from "../../store/page.ts";
import { useQuery } from "../../store/use-query.ts";
import css from "./inspect.module.css";

/** Everything on a node's disk, read again when its height, process or binary has changed. */
export function DiskFiles({ node }: { node: string }) {
  const state = useFrameState(({ frame }) => {
    const found = frame?.nodes.find(({ name }) => name === node);
    return [found?.height, found?.process, found?.binary, found?.staged, found?.upgradeInfo].join();
  });
  const { answer, problem } = useQuery(`${node}/${state}`, (lab) => lab.getNodeFiles({ node }));
  if (problem) return <p className="soft small">{problem}</p>;
  if (!answer) return <p className="soft small">Reading…</p>;
  if (answer.files.length === 0) return <p className="soft small">The disk is empty.</p>;
  return (
    <dl className={css.files}>
      {answer.files.map(({ path, content }) => (
        <div key={path}>
          <dt className="mono">{path}</dt>
          <dd>
            {content === "" ? (
              <span className="faint small">empty</span>
            ) : (
              <pre className="quote">{content}</pre>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
