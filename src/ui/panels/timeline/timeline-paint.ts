import type { BlockCell, EndedPlan, PlanView } from "../../store/types.ts";
import { percent } from "../../widgets/format.ts";
import { CELL, type MarkLabel, markLabels, type Span, xOf } from "./timeline-layout.ts";

export interface TimelinePicture {
  readonly span: Span;
  readonly width: number;
  /** Newest height, and the cells known up to it. */
  readonly height: number;
  readonly cells: readonly BlockCell[];
  readonly binaries: readonly string[];
  readonly plan: PlanView | undefined;
  /** Plans that were cancelled. */
  readonly ended: readonly EndedPlan[];
  /** Greatest height that is agreed on; above `height` while no node can apply it. */
  readonly decided: number;
  readonly selected: number | undefined;
  /** Share of the power that has applied a block which the others cannot. */
  readonly applied: number;
  /** The other chain: the last block in common, and its newest one; undefined while there is one chain. */
  readonly other: { readonly common: number; readonly newest: number } | undefined;
}

const TOP = 23;
const LABELLED: ReadonlySet<MarkLabel> = new Set([
  "upgraded",
  "slash",
  "evidence",
  "plan",
  "proposal",
]);
const INK: Partial<Record<MarkLabel, string>> = {
  slash: "bad",
  evidence: "bad",
  upgraded: "ok",
  plan: "warn",
};

/** Draws block cells from old to new, their marks above, heights below, and the future as outlines. */
export function paintTimeline(
  ctx: CanvasRenderingContext2D,
  picture: TimelinePicture,
  color: (token: string) => string,
): void {
  const { span, width, height, cells, plan } = picture;
  ctx.clearRect(0, 0, width, 64);
  // The element's own font would be asked of the browser, which computes the styles of the whole page to answer.
  ctx.font = `11px ${color("sans")}`;
  ctx.textBaseline = "alphabetic";
  const byHeight = new Map<number, BlockCell>();
  for (let i = cells.length - 1; i >= 0; i -= 1) {
    const cell = cells[i] as BlockCell;
    if (cell.height < span.first) break;
    byHeight.set(cell.height, cell);
  }

  let lastBinary = -1;
  let labelled = Number.NEGATIVE_INFINITY;
  for (let at = span.first; at < span.first + span.cells; at += 1) {
    const cell = byHeight.get(at);
    const x = xOf(span, at);
    const { other } = picture;
    if (other && at > other.common && at <= Math.max(height, other.newest)) {
      paintLanes(
        ctx,
        x,
        [at <= height, at <= other.newest],
        color(`bin-${(cell?.binary ?? 0) % 4}`),
      );
    } else if (cell) {
      paintCell(ctx, x, cell, color);
    }
    if (cell) {
      if (cell.binary !== lastBinary) {
        ctx.fillStyle = color(`bin-${cell.binary % 4}`);
        ctx.textAlign = "left";
        ctx.fillText(picture.binaries[cell.binary] ?? "", x, TOP + CELL + 14);
        lastBinary = cell.binary;
        labelled = x + ctx.measureText(picture.binaries[cell.binary] ?? "").width;
      }
    } else if (at > height && at > (other?.newest ?? 0)) paintFuture(ctx, x, at, picture, color);
    if (at % 10 === 0 && x - 12 > labelled) label(ctx, String(at), x, color("faint"));
  }
  paintLabels(ctx, picture, byHeight, color);
  if (plan?.name && plan.height >= span.first + span.cells) {
    ctx.fillStyle = color("warn");
    ctx.textAlign = "right";
    ctx.fillText(`${plan.name} due at ${plan.height} →`, width - 16, 12);
  }
}

function paintCell(
  ctx: CanvasRenderingContext2D,
  x: number,
  cell: BlockCell,
  color: (token: string) => string,
): void {
  ctx.fillStyle = color(`bin-${cell.binary % 4}`);
  box(ctx, x, CELL);
  ctx.fill();
  // A second sign beside colour: each later binary has one more notch.
  ctx.fillStyle = color("surface");
  for (let i = 0; i < cell.binary % 4; i += 1) ctx.fillRect(x + 3 + i * 4, TOP + CELL - 4, 2, 4);
  const tx = markLabels(cell.marks).includes("tx");
  if (tx) ctx.fillRect(x + CELL / 2 - 1.5, TOP + 4, 3, 3);
}

/** A cell of each of two chains, this one above, the other one hatched below. */
function paintLanes(
  ctx: CanvasRenderingContext2D,
  x: number,
  [above, below]: readonly [boolean, boolean],
  fill: string,
): void {
  const high = CELL / 2 - 1;
  ctx.fillStyle = ctx.strokeStyle = fill;
  if (above) ctx.fillRect(x, TOP, CELL, high);
  if (!below) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, TOP + CELL - high, CELL, high);
  ctx.clip();
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let i = -high; i < CELL; i += 5) {
    ctx.moveTo(x + i, TOP + CELL);
    ctx.lineTo(x + i + high, TOP + CELL - high);
  }
  ctx.stroke();
  ctx.strokeRect(x, TOP + CELL - high, CELL, high);
  ctx.restore();
}

function paintFuture(
  ctx: CanvasRenderingContext2D,
  x: number,
  at: number,
  { plan, height, decided, applied }: TimelinePicture,
  color: (token: string) => string,
): void {
  const due = plan?.name !== "" && plan?.height === at;
  const stuck = at > height && at <= decided;
  ctx.strokeStyle = color(due || stuck ? "warn" : "ghost");
  ctx.lineWidth = due || stuck ? 2 : 1;
  ctx.setLineDash(stuck ? [] : due ? [4, 2] : [2, 2]);
  box(ctx, x + 0.5, CELL - 1);
  ctx.stroke();
  ctx.setLineDash([]);
  if (!stuck || applied === 0) return;
  ctx.fillStyle = color("warn");
  ctx.fillRect(x + 2, TOP + CELL - 2 - (CELL - 4) * applied, CELL - 4, (CELL - 4) * applied);
}

/**
 * Labels above their blocks; where two would collide the stronger block's label stays, the other is a
 * dot.
 */
function paintLabels(
  ctx: CanvasRenderingContext2D,
  { span, height, plan, ended, selected, width, decided, applied, other }: TimelinePicture,
  byHeight: ReadonlyMap<number, BlockCell>,
  color: (token: string) => string,
): void {
  let free = Number.POSITIVE_INFINITY;
  const write = (at: number, text: string, token: string): void => {
    const x = xOf(span, at) + CELL / 2;
    const half = ctx.measureText(text).width / 2 + 5;
    const middle = Math.min(Math.max(x, half + 4), width - half - 4);
    ctx.fillStyle = color(token);
    ctx.fillRect(x - 0.75, TOP - 7, 1.5, 5);
    if (middle + half <= free) {
      ctx.textAlign = "center";
      ctx.fillText(text, middle, 12);
      free = middle - half;
    }
  };
  if (plan?.name && plan.height > height && plan.height < span.first + span.cells) {
    const due = plan.height === decided ? appliedBy(applied) : `· ${plan.height}`;
    write(plan.height, `${plan.name} due ${due}`, "warn");
  }
  // From right to left, as all labels are.
  for (const { name, height: due } of [...ended].sort((a, b) => b.height - a.height)) {
    if (due < span.first || due >= span.first + span.cells) continue;
    paintCross(ctx, xOf(span, due), color("warn"));
    if (due > height && due !== plan?.height) write(due, `${name} cancelled`, "soft");
  }
  const last = Math.min(height + 1, span.first + span.cells - 1);
  for (let at = last; at >= span.first; at -= 1) {
    const labels = markLabels(byHeight.get(at)?.marks ?? 0).filter((each) => LABELLED.has(each));
    const [label] = labels;
    const cancels = ended.some(({ block }) => block === at);
    if (at === (other?.common ?? -1) + 1) write(at, "two chains", "bad");
    else if (label || cancels) {
      const words = [...(cancels ? ["cancelled"] : []), ...labels];
      const all = words.join(" · ");
      const fits = xOf(span, at) + CELL / 2 + ctx.measureText(all).width / 2 + 5 <= free;
      const text = fits || words.length === 1 ? all : `${words[0]} +${words.length - 1}`;
      write(at, text, cancels ? "warn" : ((label && INK[label]) ?? "soft"));
    }
  }
  if (selected !== undefined && selected >= span.first && selected < span.first + span.cells) {
    ctx.strokeStyle = color("ink");
    ctx.lineWidth = 2;
    ctx.strokeRect(xOf(span, selected) - 2, TOP - 2, CELL + 4, CELL + 4);
  }
}

const appliedBy = (share: number): string => `· decided, applied by ${percent(share, 1)}`;

/** Crosses out the cell of a plan that was cancelled. */
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

function box(ctx: CanvasRenderingContext2D, x: number, size: number): void {
  ctx.beginPath();
  ctx.roundRect(x, TOP + (CELL - size) / 2, size, size, 3);
}

function label(ctx: CanvasRenderingContext2D, text: string, x: number, fill: string): void {
  ctx.fillStyle = fill;
  ctx.textAlign = "center";
  ctx.fillText(text, x + CELL / 2, TOP + CELL + 14);
}
