/** Finds objects in a text that the page can show: validators and nodes, proposals and evidence. */
import type { Route } from "../store/route.ts";

export interface LinkedPart {
  readonly text: string;
  /** Link target; undefined for plain text. */
  readonly to: NonNullable<Route["selection"]> | undefined;
}

export interface LinkTargets {
  readonly nodes: ReadonlySet<string>;
  /** Hashes of the stored evidence, in upper-case hex. */
  readonly evidence: ReadonlySet<string>;
}

const CANDIDATE = /proposal(?:_id=| )(\d+)|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/giu;

/** The text in parts, in order; joined they are the original text. */
export function linkedParts(text: string, { nodes, evidence }: LinkTargets): readonly LinkedPart[] {
  const parts: LinkedPart[] = [];
  let from = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const [word, proposal] = match;
    const to = proposal
      ? ({ kind: "proposal", id: proposal } as const)
      : nodes.has(word)
        ? ({ kind: "node", id: word } as const)
        : evidence.has(word)
          ? ({ kind: "evidence", id: word } as const)
          : undefined;
    if (!to) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index), to: undefined });
    parts.push({ text: word, to });
    from = match.index + word.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), to: undefined });
  return parts;
}
