import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { appliedPhrase, appliedPower } from "../../store/halt.ts";
import { nextMark } from "../../store/next-mark.ts";
import { useFrameState, usePage } from "../../store/page.ts";
import { useRoute } from "../../store/route.ts";
import { isDecided } from "../../store/situation.ts";
import { liveHeight, selectBlock, shownHeight, travelTo } from "../../store/travel.ts";
import type { Fork, ProposalView } from "../../store/types.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { useColors } from "../../widgets/use-colors.ts";
import { Overview } from "./Overview.tsx";
import { sizedContext } from "./sized-context.ts";
import css from "./Timeline.module.css";
import {
  cellsIn,
  heightAt,
  isIn,
  type Lane,
  PITCH,
  plansVotedOn,
  type Span,
  spanFor,
  spanWith,
  type TimelinePicture,
  xOf,
} from "./timeline-layout.ts";
import { describe, type Label, marksIn, placeMarks } from "./timeline-marks.ts";
import { fontOf, HIGH, labelAt, paintTimeline } from "./timeline-paint.ts";
import { useScrub } from "./use-scrub.ts";
import { useWidth } from "./use-width.ts";

const Lanes = lazyPart("", () => import("./Lanes.tsx"));
const SaveTimeline = lazyPart("", () => import("./SaveTimeline.tsx"));

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * The part of the chain to draw, the newest blocks unless scrolled back or in the past.
 * @param back blocks by which it is scrolled
 */
function usePicture(width: number, back: number, pointed: number | undefined) {
  const frame = useFrameState((world) => world.frame);
  const cells = useFrameState((world) => world.blocks);
  const playhead = useFrameState(({ travel }) => travel?.height);
  const newest = useFrameState(liveHeight);
  const live = useFrameState(({ travel, frame: shown }) => travel?.live.frame ?? shown);
  const { selection } = useRoute();
  const height = frame?.chain?.height ?? 0;
  const chosen = selection?.kind === "block" ? Number(selection.id) : undefined;
  const initial = frame?.chain?.initialHeight ?? 1;
  const oldest = playhead === undefined ? (cells[0]?.height ?? initial) : initial;
  const scrolled = Math.min(back, Math.max(0, newest - oldest - 20));
  // In the past the range stays fixed, except to keep the playhead visible.
  const still = useRef<Span>(undefined);
  const following = spanFor(width, newest, scrolled, initial);
  const span =
    playhead === undefined
      ? following
      : spanWith(
          { ...following, first: still.current?.first ?? following.first },
          playhead,
          initial,
        );
  const stuck = live !== undefined && isDecided(live);
  const picture: TimelinePicture = {
    span,
    width,
    height,
    newest,
    playhead,
    cells: cellsIn(span, cells),
    binaries: frame?.binaries.map(({ name }) => name) ?? [],
    plan: frame?.plan,
    proposed: votedOn(frame?.proposals ?? []),
    ended: frame?.endedPlans ?? [],
    decided: live?.chain?.decidedHeight ?? 0,
    stuck: stuck ? appliedPhrase(live) : "",
    applied: stuck ? appliedPower(live) / Math.max(1, live.chainStatus?.totalPower ?? 1) : 0,
    selected: inSpan(span, chosen),
    pointed: inSpan(span, pointed),
    lanes: [...(live?.metForks ?? []), ...(live?.forks ?? [])].flatMap(laneOf),
  };
  useEffect(() => {
    still.current = playhead === undefined ? undefined : span;
  });
  return { picture, initial, scrolled };
}

/** Paints a picture after each render. Returns it, and the labels that have a place. */
function usePaint(
  canvas: RefObject<HTMLCanvasElement | null>,
  picture: TimelinePicture,
  color: ReturnType<typeof useColors>,
) {
  const placed = useRef<readonly Label[]>([]);
  const painted = useRef<TimelinePicture>(undefined);
  const { span, width } = picture;
  useEffect(() => {
    painted.current = picture;
  });
  // Setting a font reads styles: together with other changes that is a separate task, after the
  // page is painted.
  useEffect(() => {
    const next = requestAnimationFrame(() => {
      const ctx = sizedContext(canvas.current, width, HIGH);
      if (!ctx) return;
      ctx.font = fontOf(color);
      const measure = (text: string): number => ctx.measureText(text).width;
      placed.current = placeMarks(marksIn(picture), span, width, measure);
      paintTimeline(ctx, picture, placed.current, color);
    });
    return () => cancelAnimationFrame(next);
  });
  return { placed, painted };
}

/**
 * A cell for every block: its colour shows the binary, its label the event; the future is outlined.
 */
export default function Timeline() {
  const page = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(canvas);
  const color = useColors();
  const [back, setBack] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const [focused, setFocused] = useState(false);
  const { picture, initial, scrolled } = usePicture(width, back, pointed);
  const { span, newest, playhead, selected } = picture;
  const { placed, painted } = usePaint(canvas, picture, color);

  const under = (event: PointerEvent<HTMLCanvasElement>): number | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    return labelAt(placed.current, x, y)?.at ?? heightAt(span, x);
  };
  const select = (at: number): void => {
    if (at >= initial && at <= newest) selectBlock(page, at);
  };
  const scrub = useScrub(span, (at, moving) => travelTo(page, at, moving));
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = shownHeight(page.frames.getState());
    const move = STEPS[event.key];
    if (event.key === "Enter") select(from);
    if (move === undefined) return;
    event.preventDefault();
    // Otherwise the page's keys would move further.
    event.stopPropagation();
    const jump = event.shiftKey && Math.abs(move) === 1;
    const to = jump ? nextMark(page.frames.getState(), from, move < 0 ? -1 : 1) : from + move;
    if (to !== undefined) travelTo(page, to);
  };

  const described = inSpan(span, pointed ?? (focused ? (playhead ?? selected) : undefined));
  return (
    <>
      {(playhead !== undefined || scrolled > 0) && newest - initial >= span.cells && (
        <Overview span={span} width={width} first={initial} newest={newest} shown={playhead} />
      )}
      <div className={css.blocks}>
        <canvas
          ref={canvas}
          className={css.timeline}
          role="slider"
          tabIndex={0}
          aria-label="Blocks"
          aria-valuemin={Math.min(initial, newest)}
          aria-valuemax={newest}
          aria-valuenow={playhead ?? newest}
          aria-valuetext={[
            ...describe(picture, playhead ?? newest),
            ...(playhead === undefined ? [] : ["shown from the past"]),
          ].join(", ")}
          {...scrub.handlers}
          onPointerUp={(event) => {
            const moved = scrub.end(event);
            const at = under(event);
            if (!moved && at !== undefined) select(at);
          }}
          onPointerMove={(event) => {
            scrub.move(event);
            setPointed(event.pointerType === "mouse" && !scrub.moving() ? under(event) : undefined);
          }}
          onPointerLeave={() => setPointed(undefined)}
          onFocus={({ target }) => setFocused(target.matches(":focus-visible"))}
          onBlur={() => setFocused(false)}
          onKeyDown={onKey}
          onWheel={(event) => {
            const cellsMoved = Math.round((event.deltaX + event.deltaY) / PITCH);
            if (playhead === undefined) setBack((old) => Math.max(0, old - cellsMoved));
            else travelTo(page, playhead + cellsMoved);
          }}
        />
        {described !== undefined && (
          <Tooltip lines={describe(picture, described)} x={xOf(span, described)} width={width} />
        )}
        <Suspense>
          <SaveTimeline painted={painted} color={color} />
        </Suspense>
      </div>
      <Suspense>
        <Lanes first={span.first} cells={span.cells} width={width} />
      </Suspense>
    </>
  );
}

const inSpan = (span: Span, at: number | undefined): number | undefined =>
  at !== undefined && isIn(span, at) ? at : undefined;

const votedOn = (proposals: readonly ProposalView[]): TimelinePicture["proposed"] =>
  plansVotedOn(proposals).map(({ planName: name, planHeight: height }) => ({ name, height }));

/** Starts at the first height with two blocks; a fork without one is not a lane yet. */
const laneOf = ({ height, newest, met }: Fork): Lane[] =>
  height > 0 ? [{ common: height - 1, newest, mergedAt: met }] : [];

const WIDE = 300;

/** Tooltip below a cell; screen readers get the same text from the timeline itself. */
function Tooltip({
  lines: [title, ...rest],
  x,
  width,
}: {
  lines: string[];
  x: number;
  width: number;
}) {
  const left = Math.max(8, Math.min(x - 8, width - WIDE - 8));
  return (
    <div
      className={css.tooltip}
      style={{ left, top: HIGH - 14, maxWidth: WIDE }}
      aria-hidden="true"
    >
      <b>{title}</b> {rest.join(", ")}
    </div>
  );
}
