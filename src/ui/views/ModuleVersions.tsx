import { useFrameState } from "../store/page.ts";
import { BinaryChip } from "../widgets/BinaryChip.tsx";
import css from "./Upgrades.module.css";

/** The on-chain version map next to each binary's: the effect of an upgrade. */
export function ModuleVersions() {
  const now = useFrameState(({ frame }) => frame?.moduleVersions);
  const binaries = useFrameState(({ frame }) => frame?.binaries);
  const onChain = new Map(now?.map(({ name, version }) => [name, version]));
  const offered = binaries?.map((binary) => ({
    name: binary.name,
    versions: new Map(binary.modules.map(({ name, version }) => [name, version])),
  }));
  const names = new Set([
    ...onChain.keys(),
    ...(offered?.flatMap((b) => [...b.versions.keys()]) ?? []),
  ]);
  return (
    <section className="card" data-part="modules" aria-labelledby="versions">
      <h2 id="versions">Module versions</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={`${css.scroll} ${css.versions}`} tabIndex={0} aria-label="Every module">
        <table>
          <thead>
            <tr>
              <th>Module</th>
              <th className="number">On chain</th>
              {offered?.map((binary) => (
                <th key={binary.name} className="number">
                  <BinaryChip name={binary.name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...names].sort().map((name) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="number">
                  <b data-testid={`version-${name}`}>{onChain.get(name) ?? "–"}</b>
                </td>
                {offered?.map((binary) => (
                  <td key={binary.name} className="number">
                    <NewVersion has={onChain.get(name)} brings={binary.versions.get(name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function NewVersion({ has, brings }: { has: number | undefined; brings: number | undefined }) {
  if (brings === undefined) return <span className="faint">–</span>;
  if (has === undefined) return <span className={css.up}>{brings} new</span>;
  if (brings > has) return <span className={css.up}>{brings} ↑</span>;
  return <span className="soft">{brings}</span>;
}
