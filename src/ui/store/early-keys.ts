const events: KeyboardEvent[] = [];
const keep = (event: KeyboardEvent): void => void events.push(event);
addEventListener("keydown", keep);

/** Returns the keys pressed before their actions were loaded, and stops recording. */
export function earlyKeys(): readonly KeyboardEvent[] {
  removeEventListener("keydown", keep);
  return events.splice(0);
}
