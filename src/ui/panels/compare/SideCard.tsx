import type { ComparedWorld, WorldComparison } from "../../store/types.ts";
import { binaryColor } from "../../widgets/BinaryChip.tsx";
import { count, grouped, short, UNNAMED } from "../../widgets/format.ts";
import { arcPath, arcs } from "../../widgets/ring-geometry.ts";
import css from "./compare.module.css";
import { Letter } from "./Letter.tsx";

/** Fields of a block and the chain, shown beside the ring. */
const FACTS = ["state", "power", "binary", "plan", "evidence_stored", "slashed", "app_hash"];

interface SideCardProps {
  letter: "A" | "B";
  side: ComparedWorld | undefined;
  answer: WorldComparison;
  /** Link between both heights: `time`, `command`, or empty. */
  link: string;
}

/** One side at its height: its description and validators, with differing values marked. */
export function SideCard({ letter, side, answer, link }: SideCardProps) {
  if (side === undefined) return null;
  const fields = answer.blocks?.fields ?? [];
  const ends = side.height === side.newestHeight && isBeyond(letter, answer);
  return (
    <section className={`card ${css.side}`} aria-label={`${letter}: ${side.name || UNNAMED}`}>
      <header className={css.name}>
        <Letter of={letter} />
        <h2>{side.name || UNNAMED}</h2>
        <span className="soft small">
          {side.parent && `branch from ${branchPoint(side.parent.height)} · `}
          {ends
            ? `ends at block ${count(side.height)}`
            : `block ${count(side.height)} of ${count(side.newestHeight)}`}
          {link === "time" && ` · ${timeOf(letter, answer)}`}
          {link === "command" && ` · ${afterCommand(side.commands)}`}
        </span>
      </header>
      {side.impossible && (
        <p className={`small ${css.impossible}`}>impossible: a value was changed by hand in it</p>
      )}
      {side.note && <p className="soft small">{side.note}</p>}
      {side.failure && <p role="alert">{side.failure}</p>}
      <div className={css.picture}>
        <SmallRing side={side} binaries={binariesOf(answer)} />
        <dl className={css.facts}>
          {FACTS.map((name) => {
            const field = fields.find((one) => one.name === name);
            if (field === undefined || (field.a === "" && field.b === "")) return null;
            const value = (letter === "A" ? field.a : field.b) || "none";
            const differs = field.a !== field.b;
            return (
              <div key={name} data-differs={differs || undefined}>
                <dt>{name.replaceAll("_", " ")}</dt>
                <dd title={value}>
                  {differs && <span aria-hidden="true">≠ </span>}
                  {/^[0-9A-F]{40,}$/.test(value) ? <code>{short(value)}</code> : grouped(value)}
                </dd>
              </div>
            );
          })}
        </dl>
      </div>
    </section>
  );
}

/** A replayed branch has no block in common with its parent. */
const branchPoint = (height: number): string => (height > 0 ? count(height) : "its beginning");

const timeOf = (letter: "A" | "B", { blocks }: WorldComparison): string => {
  const time = blocks?.fields.find(({ name }) => name === "time");
  return (letter === "A" ? time?.a : time?.b)?.replace("T", " ").replace("Z", "") || "no block";
};

const afterCommand = (commands: number): string =>
  commands === 0 ? "before any command" : `after command ${count(commands)}`;

/** True if the other side is shown above this side's last height. */
const isBeyond = (letter: "A" | "B", { a, b }: WorldComparison): boolean => {
  const [own, other] = letter === "A" ? [a, b] : [b, a];
  return (other?.height ?? 0) > (own?.height ?? 0);
};

/** Binaries of both sides in name order, so that each has one colour on both. */
const binariesOf = ({ a, b }: WorldComparison): readonly string[] =>
  [...new Set([...(a?.validators ?? []), ...(b?.validators ?? [])].map(({ binary }) => binary))]
    .filter(Boolean)
    .sort();

const [INNER, OUTER] = [74, 100];
const NAMED_UP_TO = 16;

/** The validators in proportion to power; those of stopped nodes are hatched. */
function SmallRing({ side, binaries }: { side: ComparedWorld; binaries: readonly string[] }) {
  const { validators, height } = side;
  if (validators.length === 0) return null;
  const places = arcs(validators.map(({ power }) => power));
  const absent = validators.filter(({ state }) => state !== "running");
  const words =
    absent.length === 0
      ? "all run"
      : absent.map(({ name, state }) => `${name} ${state}`).join(", ");
  return (
    <figure className={css.ring}>
      <svg viewBox="-104 -104 208 208" role="img" aria-label={`Validators at ${height}: ${words}`}>
        <defs>
          <pattern
            id="compared-off"
            width="7"
            height="7"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="3.4" height="7" className={css.hatch} />
          </pattern>
        </defs>
        {validators.map(({ name, binary, state }, i) => {
          const place = places[i];
          if (place === undefined) return null;
          const path = arcPath(place, INNER, OUTER);
          return (
            <g key={name} style={{ color: binaryColor(binaries.indexOf(binary)) }}>
              <title>
                {name} {state}
              </title>
              <path d={path} fill={state === "running" ? "currentColor" : "url(#compared-off)"} />
              {state !== "running" && <path d={path} className={css.off} />}
            </g>
          );
        })}
        <text className={css.caption} y="-10" textAnchor="middle">
          height
        </text>
        <text className={css.height} y="18" textAnchor="middle">
          {count(height)}
        </text>
      </svg>
      {absent.length > 0 && absent.length <= NAMED_UP_TO && (
        <figcaption className="small">{words}</figcaption>
      )}
    </figure>
  );
}
