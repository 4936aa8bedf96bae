const kept: KeyboardEvent[] = [];
const keep = (event: KeyboardEvent): void => void kept.push(event);
addEventListener("keydown", keep);

/** Returns the keys pressed before their actions were loaded, and stops recording. */
export function earlyKeys(): readonly KeyboardEvent[] {
  removeEventListener("keydown", keep);
  return kept.splice(0);
}
