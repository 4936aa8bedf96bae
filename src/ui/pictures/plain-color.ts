/** A colour in a notation that every SVG program reads. */
export interface PlainColor {
  /** `#rrggbb`. */
  readonly color: string;
  readonly opacity: number;
}

const known = new Map<string, PlainColor>();
let ctx: CanvasRenderingContext2D | null;

/**
 * Converts a computed colour to numbers: browsers return `color(srgb …)` and other notations that
 * few other programs understand.
 */
export function plainColor(computed: string): PlainColor {
  const before = known.get(computed);
  if (before) return before;
  ctx ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!ctx) return { color: computed, opacity: 1 };
  ctx.clearRect(0, 0, 1, 1);
  ctx.fillStyle = computed;
  ctx.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, alpha = 0] = ctx.getImageData(0, 0, 1, 1).data;
  const hex = [r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("");
  const plain = { color: `#${hex}`, opacity: Math.round((alpha / 255) * 1000) / 1000 };
  known.set(computed, plain);
  return plain;
}
