import { markLabels } from "../../store/marks.ts";
import { count, shortName } from "../../widgets/format.ts";
import { CELL, type Lane, LONGEST, laneAt, type TimelinePicture, xOf } from "./timeline-layout.ts";
import type { Label } from "./timeline-marks.ts";

/** Height of the timeline: two rows of labels, the cells, and the ruler below them. */
export const HIGH = 64;
const TOP = 31;
/** Baselines of the two rows of labels. */
const BASELINES = [23, 11] as const;
const RULER = TOP + CELL + 14;
/** Height of a lane, while there are two. */
const LANE = CELL / 2 - 1;
const PALE = 0.38;
const MIDDLE = TOP + CELL / 2;
/** Space at the right of a due plan beyond the visible range. */
const MARGIN = 16;

type Color = (token: string) => string;

/** The font of the labels, in canvas format. */
export const fontOf = (color: Color): string => `${color("text-axis")} ${color("sans")}`;

/** The label under a point, if there is one. */
export const labelAt = (labels: readonly Label[], x: number, y: number): Label | undefined =>
  labels.find(({ left, right, row }) => {
    const base = BASELINES[row] ?? 0;
    return x >= left && x <= right && y <= base + 3 && y > base - 9;
  });

/**
 * Draws block cells from old to new, their marks above, heights below, and the future as outlines.
 */
export function paintTimeline(
  ctx: CanvasRenderingContext2D,
  picture: TimelinePicture,
  labels: readonly Label[],
  color: Color,
): void {
  const { span, width, height, newest, cells, plan, playhead } = picture;
  ctx.clearRect(0, 0, width, HIGH);
  // Reading the element's own font would make the browser compute the styles of the whole page.
  ctx.font = fontOf(color);
  ctx.textBaseline = "alphabetic";

  const due =
    plan?.name && plan.height >= span.first + span.cells
      ? `${shortName(plan.name, LONGEST)} due at ${count(plan.height)} →`
      : "";
  // From here on it has the ruler for itself.
  const dueAt = due === "" ? Number.POSITIVE_INFINITY : width - MARGIN - ctx.measureText(due).width;
  let lastBinary = -1;
  let labelled = Number.NEGATIVE_INFINITY;
  for (let at = span.first; at < span.first + span.cells; at += 1) {
    const cell = cells.get(at);
    const x = xOf(span, at);
    const lane = laneAt(picture, at);
    const binary = (cell?.binary ?? 0) % 4;
    const fill = color(`bin-${binary}`);
    // Blocks after the shown one are pale.
    ctx.globalAlpha = at > height && at <= newest ? PALE : 1;
    if (lane) paintLanes(ctx, x, [at <= newest, at <= lane.newest], fill);
    else if (cell) paintCell(ctx, x, binary, fill);
    else if (at > newest || playhead === undefined) {
      if (at > height) paintFuture(ctx, x, at, picture, color);
    } else paintCell(ctx, x, 0, color("ghost"));
    if (cell && markLabels(cell.marks).includes("tx")) paintDot(ctx, x, lane !== undefined, color);
    if (cell && cell.binary !== lastBinary) {
      const name = shortName(picture.binaries[cell.binary] ?? "", LONGEST);
      ctx.fillStyle = fill;
      ctx.textAlign = "left";
      ctx.fillText(name, x, RULER);
      lastBinary = cell.binary;
      labelled = x + ctx.measureText(name).width;
    }
    ctx.globalAlpha = 1;
    if (at % 10 === 0 && x - 12 > labelled && x + CELL + 12 < dueAt) {
      ctx.fillStyle = color("faint");
      ctx.textAlign = "center";
      ctx.fillText(String(at), x + CELL / 2, RULER);
    }
  }
  if (playhead !== undefined) paintPlayhead(ctx, xOf(span, playhead) + CELL / 2, color("accent"));
  for (const lane of picture.lanes) paintJoints(ctx, picture, lane, color("bad"));
  for (const { height: due } of picture.ended) paintCross(ctx, xOf(span, due), color("warn"));
  for (const label of labels) paintLabel(ctx, picture, label, color);
  paintFrame(ctx, picture, picture.pointed, color("soft"), 1);
  paintFrame(ctx, picture, picture.selected, color("ink"), 2);
  if (due) {
    ctx.fillStyle = color("warn");
    ctx.textAlign = "right";
    ctx.fillText(due, width - MARGIN, RULER);
  }
}

/** A cell in the colour of its binary; each later binary has one more round corner. */
function paintCell(ctx: CanvasRenderingContext2D, x: number, binary: number, fill: string): void {
  const radius = (corner: number): number => (corner < binary ? 9 : 3);
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.roundRect(x, TOP, CELL, CELL, [3, radius(0), radius(1), radius(2)]);
  ctx.fill();
}

/** The sign of transactions. */
function paintDot(ctx: CanvasRenderingContext2D, x: number, inLane: boolean, color: Color): void {
  ctx.fillStyle = color("surface");
  ctx.beginPath();
  ctx.arc(x + CELL / 2, inLane ? TOP + LANE / 2 : MIDDLE, 2, 0, 2 * Math.PI);
  ctx.fill();
}

/** The cells of two chains: this one above, the other one hatched below. */
function paintLanes(
  ctx: CanvasRenderingContext2D,
  x: number,
  [above, below]: readonly [boolean, boolean],
  fill: string,
): void {
  ctx.fillStyle = ctx.strokeStyle = fill;
  if (above) ctx.fillRect(x, TOP, CELL, LANE);
  if (!below) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, TOP + CELL - LANE, CELL, LANE);
  ctx.clip();
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let i = -LANE; i < CELL; i += 5) {
    ctx.moveTo(x + i, TOP + CELL);
    ctx.lineTo(x + i + LANE, TOP + CELL - LANE);
  }
  ctx.stroke();
  ctx.strokeRect(x, TOP + CELL - LANE, CELL, LANE);
  ctx.restore();
}

/** Draws the points where the other chain split off, and where both rejoined. */
function paintJoints(
  ctx: CanvasRenderingContext2D,
  { span, width }: TimelinePicture,
  { common, newest, mergedAt }: Lane,
  ink: string,
): void {
  const low = TOP + CELL - LANE / 2;
  const after = (height: number): number => xOf(span, height) + CELL + 2;
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  if (common >= span.first) {
    ctx.moveTo(after(common), TOP - 1);
    ctx.lineTo(after(common), TOP + CELL + 3);
  }
  if (mergedAt > 0 && after(mergedAt) > 0 && after(mergedAt) < width) {
    ctx.moveTo(after(newest) - 2, low);
    ctx.lineTo(Math.max(after(mergedAt), after(newest)), low);
    ctx.lineTo(Math.max(after(mergedAt), after(newest)), TOP - 1);
  }
  ctx.stroke();
}

function paintFuture(
  ctx: CanvasRenderingContext2D,
  x: number,
  at: number,
  { plan, proposed, height, decided, applied }: TimelinePicture,
  color: Color,
): void {
  const due = plan?.name !== "" && plan?.height === at;
  const stuck = at > height && at <= decided;
  const voted = proposed.some((each) => each.height === at);
  ctx.strokeStyle = color(due || stuck ? "warn" : voted ? "soft" : "ghost");
  ctx.lineWidth = due || stuck ? 2 : 1;
  ctx.setLineDash(stuck ? [] : due ? [4, 2] : [2, 2]);
  ctx.beginPath();
  ctx.roundRect(x + 0.5, TOP + 0.5, CELL - 1, CELL - 1, 3);
  ctx.stroke();
  ctx.setLineDash([]);
  if (!stuck || applied === 0) return;
  ctx.fillStyle = color("warn");
  ctx.fillRect(x + 2, TOP + CELL - 2 - (CELL - 4) * applied, CELL - 4, (CELL - 4) * applied);
}

/** A label, and the line from it to its cell. */
function paintLabel(
  ctx: CanvasRenderingContext2D,
  { span }: TimelinePicture,
  { at, text, left, row, ink }: Label,
  color: Color,
): void {
  const base = BASELINES[row] ?? 0;
  ctx.fillStyle = color(ink);
  ctx.textAlign = "left";
  ctx.fillText(text, left, base);
  ctx.fillRect(xOf(span, at) + CELL / 2 - 0.75, base + 3, 1.5, TOP - base - 4);
}

/** Crosses out the cell of a cancelled plan. */
function paintCross(ctx: CanvasRenderingContext2D, x: number, ink: string): void {
  const [left, right, top, bottom] = [x + 3, x + CELL - 3, TOP + 3, TOP + CELL - 3];
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(left, top);
  ctx.lineTo(right, bottom);
  ctx.moveTo(right, top);
  ctx.lineTo(left, bottom);
  ctx.stroke();
}

/** A line through the requested cell; its height is a label above it. */
function paintPlayhead(ctx: CanvasRenderingContext2D, x: number, ink: string): void {
  ctx.fillStyle = ink;
  ctx.fillRect(x - 1, TOP - 6, 2, CELL + 12);
  ctx.strokeStyle = ink;
  ctx.lineWidth = 2;
  ctx.strokeRect(x - CELL / 2 - 2, TOP - 2, CELL + 4, CELL + 4);
}

function paintFrame(
  ctx: CanvasRenderingContext2D,
  { span }: TimelinePicture,
  at: number | undefined,
  ink: string,
  wide: number,
): void {
  if (at === undefined) return;
  ctx.strokeStyle = ink;
  ctx.lineWidth = wide;
  ctx.strokeRect(xOf(span, at) - 2, TOP - 2, CELL + 4, CELL + 4);
}
