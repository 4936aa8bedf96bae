/** Text typed into the palette before its field appears. */
let typed = "";
let next: "take" | "search" | undefined;

export interface TypedAhead {
  readonly text: string;
  /** The key that ended it: Enter takes the first result, `/` continues in the view's search. */
  readonly next: "take" | "search" | undefined;
}

/** Clears the text: the palette opens anew. */
export function beginTyping(): void {
  typed = "";
  next = undefined;
}

/** Records a key as the field would. Later keys are for whatever the palette opens. */
export function typeAhead(event: KeyboardEvent): void {
  const { key } = event;
  if (next !== undefined || (event.target as Element).closest("input")) return;
  if (key === "Enter") next = "take";
  else if (key === "/" && typed === "") next = "search";
  else if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return;
  event.preventDefault();
}

export const typedAhead = (): TypedAhead => ({ text: typed, next });
