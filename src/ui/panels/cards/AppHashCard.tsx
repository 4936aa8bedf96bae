import { useState } from "react";
import { useFrameState } from "../../store/page.ts";
import { count, percent, short } from "../../widgets/format.ts";
import css from "./AppHashCard.module.css";
import { Divergence } from "./Divergence.tsx";
import { type HashGroup, hashGroups } from "./hash-groups.ts";

/**
 * Nodes at one height with different app hashes: who has which, and the differences between any
 * two.
 */
export default function AppHashCard() {
  const frame = useFrameState((state) => state.frame);
  const total = useFrameState(({ frame }) => frame?.chainStatus?.totalPower ?? 0);
  const [open, setOpen] = useState(false);
  const groups = frame ? hashGroups(frame) : [];
  const [first, second] = groups;
  if (!first || !second) return null;
  return (
    <section className={`card ${css.card}`} aria-labelledby="diverged" data-testid="app-hash-card">
      <header className={css.head}>
        <h2 id="diverged">The app hashes diverge at height {count(first.height)}</h2>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Close" : "What differs?"}
        </button>
      </header>
      <ul className={css.groups}>
        {groups.map((group) => (
          <Group key={group.appHash} group={group} total={total} />
        ))}
      </ul>
      {open && <Divergence before={first.nodes[0] ?? ""} after={second.nodes[0] ?? ""} />}
    </section>
  );
}

function Group({ group, total }: { group: HashGroup; total: number }) {
  return (
    <li>
      <code title={group.appHash}>{short(group.appHash)}</code>
      <span>{group.nodes.join(", ")}</span>
      <span className="soft">{percent(group.power, total)} of the power</span>
    </li>
  );
}
