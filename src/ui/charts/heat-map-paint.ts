/** Draws a heat-map: on a canvas, and as a picture to save. */
import type { Drawn } from "../pictures/picture.ts";
import { svgElement } from "../pictures/svg.ts";
import { count } from "../widgets/format.ts";
import { ticks } from "./axis.ts";
import {
  type CellPosition,
  fullHeight,
  type HeatMapLayout,
  layoutOf,
  xOf,
} from "./heat-map-layout.ts";
import { CELL, type MissedBlocks, runsIn } from "./missed-blocks.ts";

export type Color = (token: string) => string;

/** Colour tokens of signed and missed cells; outside the set nothing is drawn. */
const TOKENS = { [CELL.signed]: "ghost", [CELL.missed]: "bad" } as const;

/** The cells, one pixel each: rendered when they change, scaled whenever the map is drawn. */
export function cellImage({ heights, rows, cells }: MissedBlocks, color: Color): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, heights.length);
  canvas.height = Math.max(1, rows.length);
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  if (!ctx) return canvas;
  const pixels = new Map(
    Object.entries(TOKENS).map(([kind, token]) => [Number(kind), pixelOf(ctx, color(token))]),
  );
  const image = ctx.createImageData(canvas.width, canvas.height);
  const data = new Uint32Array(image.data.buffer);
  for (let i = 0; i < cells.length; i++) data[i] = pixels.get(cells[i] ?? 0) ?? 0;
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** A colour as one pixel of image data. */
function pixelOf(ctx: CanvasRenderingContext2D, color: string): number {
  ctx.fillStyle = color;
  ctx.fillRect(0, 0, 1, 1);
  const { buffer } = ctx.getImageData(0, 0, 1, 1).data;
  return new Uint32Array(buffer)[0] ?? 0;
}

interface Painted {
  readonly grid: MissedBlocks;
  readonly image: HTMLCanvasElement;
  readonly layout: HeatMapLayout;
  /** Scroll offset in CSS pixels. */
  readonly top: number;
  readonly cursor: CellPosition | undefined;
}

/** Draws the visible rows, at a cost independent of the number of cells. */
export function paintHeatMap(ctx: CanvasRenderingContext2D, painted: Painted, color: Color): void {
  const { grid, image, layout, top, cursor } = painted;
  const { width, height, left, columns, rowHeight, inSight } = layout;
  ctx.clearRect(0, 0, width, height);
  ctx.imageSmoothingEnabled = false;
  const rowsInSight = inSight / rowHeight;
  const right = xOf(layout, columns);
  ctx.drawImage(
    image,
    ...([0, top / rowHeight, columns, rowsInSight] as const),
    ...([left, 0, right - left, inSight] as const),
  );
  paintGaps(ctx, layout, top, color);
  // Reading the element's own font would make the browser compute the styles of the whole page.
  ctx.font = `${color("text-axis")} ${color("sans")}`;
  ctx.fillStyle = color("soft");
  ctx.textAlign = "start";
  ctx.textBaseline = "middle";
  const first = Math.floor(top / rowHeight);
  for (let row = first; row * rowHeight < top + inSight; row++) {
    if (row % layout.named > 0 && row !== cursor?.row) continue;
    const near = cursor && Math.abs(row - cursor.row) < layout.named && row !== cursor.row;
    // Keeps the first name from being truncated at the top.
    const y = Math.max((row + 0.5) * rowHeight - top, 6);
    if (!near) ctx.fillText(fitting(ctx, grid.rows[row]?.name ?? "", left - 8), 0, y);
  }
  paintHeights(ctx, grid, layout);
  if (!cursor) return;
  const x = xOf(layout, cursor.column);
  ctx.strokeStyle = color("ink");
  ctx.lineWidth = 1.5;
  const y = cursor.row * rowHeight - top;
  ctx.strokeRect(x - 1, y - 1, xOf(layout, cursor.column + 1) - x + 2, rowHeight + 2);
}

/** Clears gaps between cells that are large enough; the background shows through. */
function paintGaps(
  ctx: CanvasRenderingContext2D,
  layout: HeatMapLayout,
  top: number,
  color: Color,
): void {
  const { left, width, columns, rowHeight, inSight } = layout;
  if (rowHeight < 6) return;
  ctx.fillStyle = color("surface");
  const offset = top % rowHeight;
  for (let y = rowHeight - offset - 1; y < inSight; y += rowHeight) {
    ctx.fillRect(left, y, width - left, 1);
  }
  if ((width - left) / Math.max(1, columns) < 5) return;
  for (let column = 1; column <= columns; column++) {
    ctx.fillRect(xOf(layout, column) - 1, 0, 1, inSight);
  }
}

function paintHeights(
  ctx: CanvasRenderingContext2D,
  { heights }: MissedBlocks,
  layout: HeatMapLayout,
): void {
  const y = layout.inSight + 12;
  ctx.textAlign = "center";
  for (const { x, label } of heightLabels(heights, layout)) ctx.fillText(label, x, y);
}

function heightLabels(heights: readonly number[], layout: HeatMapLayout) {
  const [first = 0, last = 0] = [heights[0], heights.at(-1)];
  return ticks(first, last, layout.width - layout.left).map((height) => {
    const column = height - first;
    const x = (xOf(layout, column) + xOf(layout, column + 1)) / 2;
    return { x, label: count(height) };
  });
}

/** A name, truncated if it is too long for its space. */
function fitting(ctx: CanvasRenderingContext2D, name: string, width: number): string {
  if (ctx.measureText(name).width <= width) return name;
  let length = name.length;
  while (length > 1 && ctx.measureText(`${name.slice(0, length)}…`).width > width) length -= 1;
  return `${name.slice(0, length)}…`;
}

/** The complete map, including invisible rows. */
export function drawnHeatMap(grid: MissedBlocks, color: Color): Drawn {
  const width = 1200;
  const rows = grid.rows.length;
  const height = fullHeight(rows) + 20;
  const layout = layoutOf({ width, height }, rows, grid.heights.length);
  const content = svgElement("g", {});
  const text = { "font-size": 11, "font-family": color("sans"), fill: color("soft") };
  for (const [row, { name }] of grid.rows.entries()) {
    const y = row * layout.rowHeight;
    for (const { kind, from, to } of runsIn(grid, row)) {
      if (kind === CELL.outside) continue;
      const x = xOf(layout, from);
      const fill = color(TOKENS[kind as keyof typeof TOKENS]);
      const gap = layout.rowHeight >= 6 ? 1 : 0;
      const size = { width: xOf(layout, to) - x, height: layout.rowHeight - gap };
      content.append(svgElement("rect", { x, y, ...size, fill }));
    }
    if (row % layout.named > 0) continue;
    const label = svgElement("text", { x: 8, y: y + layout.rowHeight / 2 + 4, ...text });
    label.textContent = name.length > 15 ? `${name.slice(0, 14)}…` : name;
    content.append(label);
  }
  for (const { x, label } of heightLabels(grid.heights, layout)) {
    const place = { x, y: layout.allRows + 14, "text-anchor": "middle" };
    const height = svgElement("text", { ...place, ...text });
    height.textContent = label;
    content.append(height);
  }
  return { content, left: 0, top: 0, width, height };
}
