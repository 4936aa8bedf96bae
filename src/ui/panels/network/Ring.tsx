import { type CSSProperties, memo, Suspense, useRef } from "react";
import { useFrameState, useRound } from "../../store/page.ts";
import { proposerDrawn } from "../../store/rounds.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import { sidesOf, situationOf, votingPhrase } from "../../store/situation.ts";
import { type Holder, holders } from "../../store/validators.ts";
import { binaryColor } from "../../widgets/BinaryChip.tsx";
import { count, percent, shortName } from "../../widgets/format.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import {
  type Arc,
  arcPath,
  arcs,
  named as haveRoom,
  pointAt,
} from "../../widgets/ring-geometry.ts";
import { mainState, sideLetter } from "../../widgets/states.ts";
import { useSize } from "../../widgets/use-size.ts";
import { INNER, OUTER, ProposerMark, type Shape, titleOf } from "./arc-shape.tsx";
import css from "./Ring.module.css";

const Crowd = lazyPart("The ring", () => import("./Crowd.tsx"));

const LABELS_UP_TO = 16;
/**
 * Maximum letters of a name beside the ring, and of the presenter's large ones; the link has the
 * complete name.
 */
const NAME = 10;
const LARGE_NAME = 7;
/** Letters that always fit beside the ring, and the width of each further one. */
const SHORT = 7;
const LETTER = 10.5;
/**
 * Below this width the ring is shown alone, as it is with long names: they would be too small to
 * read.
 */
const LEAST_WIDTH = 230;
const LEAST_WIDTH_LONG = 330;
/** Half the size of a ring without names. */
const BARE = 134;

/** The validators as arcs in proportion to power; the table beside it has the same data as text. */
export function Ring() {
  const frame = useFrameState((world) => world.frame);
  const binaries = useFrameState(({ frame }) => frame?.binaries);
  const proposes = useRound(proposerDrawn);
  const { selection, presenting } = useRoute();
  const torn = frame !== undefined && sidesOf(frame.nodes) > 1;
  const validators = frame ? holders(frame) : [];
  if (torn) validators.sort((a, b) => sideOf(a) - sideOf(b));
  const places = arcs(
    validators.map(({ validator }) => validator.power),
    torn ? validators.map(sideOf) : [],
  );
  const absent = new Set(
    torn ? frame.chainStatus?.missing.flatMap(({ nodes }) => nodes) : undefined,
  );
  const ref = useRef<HTMLDivElement>(null);
  const { width = Number.POSITIVE_INFINITY } = useSize(ref) ?? {};
  const labelled = validators.length <= LABELS_UP_TO;
  const room = haveRoom(places);
  // A name with a state text needs more space there.
  const isNamed = (pole: boolean): boolean =>
    places.some((arc, i) => isPole(arc) === pole && toneOf(validators[i]) !== "ok");
  const indexOf = (name: string) => binaries?.findIndex((binary) => binary.name === name) ?? 0;
  const shapes = validators.map((holder, i): Shape => {
    const { name, proposer } = holder.validator;
    const { from, to } = places[i] as Arc;
    const { label, tone } = mainState(holder);
    return {
      name,
      text: shortName(name, presenting ? LARGE_NAME : NAME),
      from,
      to,
      label,
      tone,
      color: binaryColor(indexOf(holder.nodes[0]?.binary ?? "")),
      sides: torn ? lettersOf(holder) : "",
      absent: holder.nodes.length > 0 && holder.nodes.every((n) => absent.has(n.name)),
      proposer: proposes === undefined ? proposer : proposes === name,
      labelled: room[i] === true,
      selected: selection?.kind === "node" && selection.id === name,
    };
  });
  const reach = Math.max(0, ...shapes.filter((shape) => shape.labelled).map(reachOf));
  const named = labelled && width > (reach > 0 ? LEAST_WIDTH_LONG : LEAST_WIDTH);
  const [x, y] = named
    ? [Math.max(isNamed(false) ? 208 : 178, reach), isNamed(true) ? 162 : 140]
    : [BARE, BARE];
  return (
    <div
      ref={ref}
      id="ring"
      data-part="ring"
      className={css.picture}
      data-labelled={labelled || undefined}
      style={{ "--x": x, "--y": y } as CSSProperties}
    >
      <svg className={css.ring} viewBox={`${-x} ${-y} ${2 * x} ${2 * y}`} aria-hidden="true">
        <defs>
          <pattern
            id="absent"
            width="7"
            height="7"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="3.4" height="7" className={css.hatch} />
          </pattern>
        </defs>
        {labelled ? (
          shapes.map((shape) => (
            <ValidatorArc key={shape.name} {...shape} labelled={named && shape.labelled} />
          ))
        ) : (
          <Suspense>
            <Crowd arcs={shapes} />
          </Suspense>
        )}
        <Gauge />
      </svg>
      <Heart />
    </div>
  );
}

/** Returns how far a long name, or the text below it, extends to a side; 0 for a short one. */
function reachOf({ from, to, text, sides, label, tone }: Shape): number {
  const letters = Math.max(`${text} ${sides}`.trim().length, tone === "ok" ? 0 : label.length);
  if (`${text} ${sides}`.trim().length <= SHORT) return 0;
  const { x } = pointAt((from + to) / 2, 136);
  return Math.abs(x) < 24 ? (letters * LETTER) / 2 : Math.abs(x) + letters * LETTER;
}

/** True if the name of an arc is above or below the ring. */
const isPole = (arc: Arc): boolean => Math.abs(pointAt((arc.from + arc.to) / 2, 136).y) > 100;

const toneOf = (holder: Holder | undefined): string => (holder ? mainState(holder).tone : "ok");

/** The partition that contains a validator's own node. */
const sideOf = ({ nodes }: Holder): number => nodes[0]?.partition ?? 0;

/** The letters of all partitions with a node that has its key. */
const lettersOf = ({ nodes }: Holder): string =>
  [...new Set(nodes.map(({ partition }) => sideLetter(partition)))].join("+");

const ValidatorArc = memo(function ValidatorArc(props: Shape) {
  const { name, text, from, to, color, label, tone, proposer, sides, absent, labelled, selected } =
    props;
  const middle = (from + to) / 2;
  const at = pointAt(middle, 136);
  const side = Math.abs(at.x) < 24 ? "middle" : at.x > 0 ? "start" : "end";
  return (
    <a
      href={hrefTo({ selection: { kind: "node", id: name } })}
      tabIndex={-1}
      className={css.validator}
      data-tone={tone}
      data-twice={sides.length > 1 || undefined}
      data-selected={selected || undefined}
      style={{ color }}
    >
      <title>{titleOf(props)}</title>
      <path className={css.arc} d={arcPath({ from, to }, INNER, OUTER)} />
      {(absent || tone !== "ok") && (
        <path className={css.veil} d={arcPath({ from, to }, INNER, OUTER)} />
      )}
      {proposer && <ProposerMark from={from} to={to} />}
      {labelled && (
        <text
          className={css.name}
          x={at.x}
          y={at.y}
          // A name in the upper half has its slice below it.
          dy={tone !== "ok" && at.y < 0 ? "-1.2em" : undefined}
          textAnchor={side}
          dominantBaseline="middle"
        >
          {text} {sides}
          {tone !== "ok" && (
            <tspan className={css.label} x={at.x} dy="1.2em">
              {label}
            </tspan>
          )}
        </text>
      )}
    </a>
  );
});

/** Gauge of the voting power, with the threshold it must exceed. */
function Gauge() {
  const voting = useFrameState(({ frame }) => frame?.chainStatus?.votingPower ?? 0);
  const total = useFrameState(({ frame }) => Math.max(1, frame?.chainStatus?.totalPower ?? 1));
  const halted = useFrameState(({ frame }) => frame?.chainStatus?.state === "halted");
  const radius = 80;
  const around = 2 * Math.PI * radius;
  const line = (2 / 3) * 2 * Math.PI;
  const [a, b] = [pointAt(line, 73), pointAt(line, 87)];
  return (
    <g className={css.gauge} data-halted={halted || undefined}>
      <circle r={radius} className={css.track} />
      <circle
        r={radius}
        className={css.voting}
        strokeDasharray={`${(voting / total) * around} ${around}`}
        transform="rotate(-90)"
      />
      <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} className={css.needed} />
    </g>
  );
}

/** The ring's centre changes with every frame: on its own layer, the ring is not repainted. */
function Heart() {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const calm = useFrameState(({ frame }) => (frame?.player?.rate ?? 0) <= 4);
  const text = useFrameState(({ frame }) => {
    if (!frame) return "";
    const { votingPower = 0, totalPower = 0 } = frame.chainStatus ?? {};
    return situationOf(frame) === "whole"
      ? `${percent(votingPower, totalPower)} votes`
      : votingPhrase(frame);
  });
  return (
    <div className={css.heart} aria-hidden="true">
      {calm && <span key={height} className={css.beat} />}
      <span className={css.caption}>height</span>
      <span className={css.height}>{count(height)}</span>
      {text.split(", ").map((line) => (
        <span key={line} className={css.caption}>
          {line}
        </span>
      ))}
    </div>
  );
}
