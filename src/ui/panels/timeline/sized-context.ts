/**
 * Returns the 2D context of a canvas resized to a size in CSS pixels, with its content preserved;
 * undefined if the width is 0.
 */
export function sizedContext(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  const ctx = canvas?.getContext("2d");
  if (!ctx || width === 0) return undefined;
  const scale = devicePixelRatio;
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  // Setting the same size again would lay out the canvas and reallocate its memory.
  if (ctx.canvas.width !== wide) ctx.canvas.width = wide;
  if (ctx.canvas.height !== high) ctx.canvas.height = high;
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  return ctx;
}
