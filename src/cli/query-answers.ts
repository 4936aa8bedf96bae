/** Printed formats of answers, if they differ from the answer itself. */

import { withNames } from "../base/address-text.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import type { QueriedChain } from "./context.ts";
import type { Answer, Show } from "./query.ts";

/** The plan alone; without one, the profile's message (rules/upgrade 8.2). */
export const plan: Show = (answer, chain) => {
  const { plan: found } = answer as { readonly plan: object | null };
  return found ? { value: found } : missing("no upgrade scheduled", chain.missingUpgrade);
};

/**
 * The header of the block as JSON, or only its height if the profile shows no more
 * (rules/upgrade 8.2).
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

/** A single piece of evidence is printed alone; a list with its page (rules/evidence 6.5). */
export const evidence: Show = (answer) => {
  const { evidence: found } = answer as { readonly evidence: object };
  return { value: Array.isArray(found) ? answer : found };
};

/** A file as on disk. */
export const content: Show = (answer) => ({
  value: answer,
  text: (answer as { readonly content: string }).content,
});

/** The result of a transaction, with the transaction. */
export const tx: Show = (answer) => ({
  value: (answer as { readonly tx_response: object }).tx_response,
});

/** The outcome, and each decision on a line with its block and its rule. */
export const explained: Show = async (answer, chain) => {
  const { because, reasons, left_out, forgotten } = answer as unknown as Explained;
  const lines = reasons.map(({ height, where, module, what, found, rule, reverted }) => {
    const who = [where, module].filter(Boolean).join(" · ");
    const undone = reverted ? " (taken back)" : "";
    return [height || "-", who || "consensus", `${what}: ${found}${undone}`, `rules/${rule}`].join(
      "  ",
    );
  });
  if (left_out > 0) lines.push(`and ${left_out} more, which stand in their blocks`);
  if (forgotten > 0) lines.push(`what block ${forgotten} decided is not remembered any more`);
  const named = await namesOn(chain);
  return { value: answer, text: named([because, ...lines].join("\n")) };
};

/** Parts of a reference to a node's address, after its name. */
const PARTS = ["", ".valoper", ".valcons"];

/** Replaces addresses in a text by names of nodes. */
async function namesOn(chain: QueriedChain): Promise<(text: string) => string> {
  const { method } = Lab;
  const { nodes } = (await chain.query(`${Lab.typeName}/${method.getNodes.name}`, {}, 0)) as {
    readonly nodes: readonly { readonly name: string }[];
  };
  const names = new Map<string, string>();
  for (const { name } of nodes) {
    for (const part of PARTS) {
      const reference = `\${${name}${part}}`;
      // A node without a validator has no such address.
      const address = await Promise.resolve(reference)
        .then((text) => chain.resolve(text))
        .catch(() => reference);
      names.set(address, name);
    }
  }
  return (text) => withNames(text, names);
}

interface Explained {
  readonly because: string;
  readonly reasons: readonly {
    readonly height: number;
    readonly where: string;
    readonly module: string;
    readonly what: string;
    readonly found: string;
    readonly rule: string;
    readonly reverted: boolean;
  }[];
  readonly left_out: number;
  readonly forgotten: number;
}

/** Found transactions, with their total number and the page's number. */
export const searched: Show = (answer, _, { page = "1", limit = "100" }: Page) => {
  const { tx_responses: txs, total } = answer as {
    readonly tx_responses: readonly object[];
    readonly total: string;
  };
  return {
    value: {
      total_count: total,
      count: `${txs.length}`,
      page_number: page,
      page_total: `${Math.max(1, Math.ceil(Number(total) / Number(limit)))}`,
      limit,
      txs,
    },
  };
};

interface Page {
  readonly page?: string;
  readonly limit?: string;
}
