/**
 * State of the page while a step plays: its view, the selection, the drawer's tab and the framed
 * part.
 */
import * as v from "valibot";
import {
  about,
  choice,
  has,
  integerOrReference,
  isText,
  LIMITS,
  map,
  oneOf,
  text,
} from "./fields.ts";
import type { ArgumentCheck } from "./names.ts";

const VIEWS = ["network", "evidence", "upgrades", "governance", "charts"] as const;
const DRAWERS = ["why", "events", "logs", "node_log"] as const;
const PARTS = [
  "timeline",
  "ring",
  "validators",
  "round",
  "evidence",
  "waterfall",
  "plan",
  "binaries",
  "modules",
  "proposals",
  "sidecars",
  "drawer",
] as const;

const selectSchema = choice(
  "a validator or node, or a map with one of block, proposal, evidence, chain",
  [isText, about(text, "Name of a validator or node.")],
  [has("block"), map({ block: about(integerOrReference(1, LIMITS.height), "Height of a block.") })],
  [
    has("proposal"),
    map({
      proposal: about(integerOrReference(1, LIMITS.height), "Id of a proposal, or $name of it."),
    }),
  ],
  [
    has("chain"),
    map({
      chain: about(v.literal(true, "true"), "Selects the chain itself, with its supply."),
    }),
  ],
  [has("evidence"), map({ evidence: about(text, "Hash of evidence, or a reference to one.") })],
);

export const showSchema = map({
  view: about(v.optional(oneOf(...VIEWS)), "View to open."),
  select: about(
    v.optional(selectSchema),
    "Selection: a validator or node by name, or a block, a proposal or evidence.",
  ),
  drawer: about(v.optional(oneOf(...DRAWERS)), "Open tab of the drawer. Default: closed."),
  highlight: about(v.optional(oneOf(...PARTS)), "Part of the page to highlight."),
});

/** Every key is optional: the previous state stays, except for the frame and the drawer. */
export type Show = v.InferOutput<typeof showSchema>;

/**
 * Checks the names: a validator, its node or the node's twin; an account may become a validator.
 */
export function checkShow({ select }: Show, check: ArgumentCheck): void {
  if (typeof select === "string") check.account(select.replace(/-twin$/, ""), "select");
}
