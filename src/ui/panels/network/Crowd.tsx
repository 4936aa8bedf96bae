import { memo, type PointerEvent, useState } from "react";
import { hrefTo } from "../../store/route.ts";
import { arcPath } from "../../widgets/ring-geometry.ts";
import { INNER, OUTER, ProposerMark, type Shape, titleOf } from "./arc-shape.tsx";
import css from "./Ring.module.css";

/**
 * The arcs of validators too many for names: those that look alike are one path, and a single link
 * leads to the validator under the pointer. With an element for each the browser would restyle
 * thousands whenever a dialog opens.
 */
export default function Crowd({ arcs }: { arcs: readonly Shape[] }) {
  const [pointed, setPointed] = useState("");
  const one = arcs.find(({ name }) => name === pointed);
  const alike = Map.groupBy(arcs, ({ color, tone, sides, absent, selected }) =>
    [color, tone, sides.length > 1, absent, selected].join(),
  );
  const follow = ({ currentTarget, clientX, clientY }: PointerEvent<Element>): void => {
    const angle = angleIn(currentTarget.closest("svg"), clientX, clientY);
    setPointed(arcs.find(({ from, to }) => from <= angle && angle <= to)?.name ?? "");
  };
  return (
    <a
      href={one && hrefTo({ selection: { kind: "node", id: one.name } })}
      tabIndex={-1}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setPointed("")}
    >
      <title>{one && titleOf(one)}</title>
      {[...alike].map(([look, some]) => (
        <Alike key={look} arcs={some} />
      ))}
      {one && <path className={css.pointed} d={arcPath(one, INNER, OUTER)} />}
      {arcs.map((arc) => arc.proposer && <ProposerMark key={arc.name} {...arc} />)}
    </a>
  );
}

/** Validators that look alike. */
const Alike = memo(
  function Alike({ arcs }: { arcs: readonly Shape[] }) {
    const { color = "", tone, sides = "", absent, selected } = arcs[0] ?? {};
    const path = arcs.map((arc) => arcPath(arc, INNER, OUTER)).join("");
    return (
      <g
        className={css.validator}
        data-tone={tone}
        data-twice={sides.length > 1 || undefined}
        data-selected={selected || undefined}
        style={{ color }}
      >
        <path className={css.arc} d={path} />
        {(absent || tone !== "ok") && <path className={css.veil} d={path} />}
      </g>
    );
  },
  ({ arcs: was }, { arcs: is }) =>
    was.length === is.length &&
    was.every(({ from, to }, i) => from === is[i]?.from && to === is[i]?.to),
);

/** The direction of a screen point from the centre of a drawing, clockwise from the top. */
function angleIn(drawing: Element | null, x: number, y: number): number {
  const { left = 0, top = 0, width = 0, height = 0 } = drawing?.getBoundingClientRect() ?? {};
  const angle = Math.atan2(x - left - width / 2, top + height / 2 - y);
  return angle < 0 ? angle + 2 * Math.PI : angle;
}
