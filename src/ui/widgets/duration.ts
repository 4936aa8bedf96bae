/** `48 h`, `1 min 5 s`, `12 s`: the two largest non-zero units. */
export function duration(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ] as const;
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [name, size] of units) {
    if (name === "d" && rest < 3 * size) continue;
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (n > 0) parts.push(`${n} ${name}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}
