import { Fragment, useMemo } from "react";
import { useFrameState } from "../store/page.ts";
import { hrefTo } from "../store/route.ts";
import { type LinkTargets, linkedParts } from "./linked-parts.ts";

/** Link targets in lines of text; the same object until a node joins or evidence is stored. */
export function useLinkTargets(): LinkTargets {
  const nodes = useFrameState(({ frame }) =>
    [...(frame?.validators ?? []), ...(frame?.nodes ?? [])].map(({ name }) => name).join("\n"),
  );
  const evidence = useFrameState(
    ({ frame }) => frame?.evidence.map(({ hash }) => hash).join("\n") ?? "",
  );
  return useMemo(
    () => ({ nodes: new Set(nodes.split("\n")), evidence: new Set(evidence.split("\n")) }),
    [nodes, evidence],
  );
}

/** A text in which names of validators and nodes, proposals and stored evidence are links. */
export function Linked({ text, targets }: { text: string; targets: LinkTargets }) {
  return linkedParts(text, targets).map(({ text, to }, i) =>
    to ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity of their own
      <a key={i} href={hrefTo({ selection: to })}>
        {text}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity of their own
      <Fragment key={i}>{text}</Fragment>
    ),
  );
}
