/** How answers are printed that are not printed as they are. */
import type { Answer, Show } from "./query.ts";

/** The plan alone; without one, what the profile says (rules/upgrade 8.2). */
export const plan: Show = (answer, chain) => {
  const { plan: found } = answer as { readonly plan: object | null };
  return found ? { value: found } : missing("no upgrade scheduled", chain.missingUpgrade);
};

/**
 * The header of the block as JSON, or its height alone where the profile shows no more (rules/upgrade 8.2).
 */
export const applied: Show = (answer, chain) => {
  const { height, meta } = answer as { readonly height: number; readonly meta: object | null };
  if (height === 0) return missing("no upgrade found", chain.missingUpgrade);
  return meta ? { value: meta, json: true } : { value: { height: `${height}` } };
};

function missing(text: string, as: "error" | "empty"): Answer {
  if (as === "error") throw new Error(text);
  return { value: {} };
}

/** One piece of evidence stands for itself; a list comes with its page (rules/evidence 6.5). */
export const evidence: Show = (answer) => {
  const { evidence: found } = answer as { readonly evidence: object };
  return { value: Array.isArray(found) ? answer : found };
};

/** A file as it is on the disk. */
export const content: Show = (answer) => ({
  value: answer,
  text: (answer as { readonly content: string }).content,
});
