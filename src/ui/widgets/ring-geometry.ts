/** Position of each validator on the ring. Angles in radians, clockwise from the top. */
export interface Arc {
  readonly from: number;
  readonly to: number;
}

const TURN = Math.PI * 2;
/** Minimum share of the ring for a validator without power, so that it stays visible. */
const LEAST = 0.012;
/** Maximum share of all of them together: among hundreds, those with power get most of the ring. */
const LEAST_TOGETHER = 0.05;

/** Gap in radians between the parts of a partitioned ring. */
const TEAR = 0.3;

/**
 * Arcs in proportion to power, in the given order, with a small gap between neighbours, and a wide
 * one between different partitions.
 */
export function arcs(powers: readonly number[], parts: readonly number[] = []): Arc[] {
  const torn = (i: number): boolean => parts[i] !== parts[(i || parts.length) - 1];
  const tears = parts.filter((_, i) => torn(i)).length;
  const total = powers.reduce((sum, power) => sum + power, 0);
  const least = Math.min(LEAST, LEAST_TOGETHER / powers.length);
  const shares = powers.map((power) => Math.max(total > 0 ? power / total : 1, least));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const widest = Math.min(0.035, (TURN / Math.max(1, powers.length)) * 0.18);
  let at = 0;
  return shares.map((share, i) => {
    if (parts.length > 0 && torn(i)) at += TEAR;
    const from = at;
    at += (share / whole) * (TURN - tears * TEAR);
    const gap = Math.min(widest, (at - from) / 2);
    return { from: from + gap / 2, to: at - gap / 2 };
  });
}

/** Minimum distance in radians between the centres of two arcs with readable names. */
const READABLE = 0.22;

/** Returns for each arc whether its name fits beside the previous ones. */
export function named(arcs: readonly Arc[]): boolean[] {
  let last = -TURN;
  return arcs.map(({ from, to }) => {
    const middle = (from + to) / 2;
    if (middle - last < READABLE) return false;
    last = middle;
    return true;
  });
}

export function pointAt(angle: number, radius: number): { x: number; y: number } {
  return { x: round(Math.sin(angle) * radius), y: round(-Math.cos(angle) * radius) };
}

/** The path of a thick arc between two radii. */
export function arcPath({ from, to }: Arc, inner: number, outer: number): string {
  const large = to - from > Math.PI ? 1 : 0;
  const [a, b, c, d] = [
    pointAt(from, outer),
    pointAt(to, outer),
    pointAt(to, inner),
    pointAt(from, inner),
  ];
  return `M${a.x} ${a.y}A${outer} ${outer} 0 ${large} 1 ${b.x} ${b.y}L${c.x} ${c.y}A${inner} ${inner} 0 ${large} 0 ${d.x} ${d.y}z`;
}

const round = (n: number): number => Math.round(n * 100) / 100;
