const kept: KeyboardEvent[] = [];
const keep = (event: KeyboardEvent): void => void kept.push(event);
addEventListener("keydown", keep);

/** The keys that were pressed before what they do was there; from now on it listens itself. */
export function earlyKeys(): readonly KeyboardEvent[] {
  removeEventListener("keydown", keep);
  return kept.splice(0);
}
