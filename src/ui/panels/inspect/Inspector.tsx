import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { goTo, useRoute } from "../../store/route.ts";
import { shortName } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { isPhone } from "../../widgets/is-phone.ts";
import { BlockFacts } from "./BlockFacts.tsx";
import { ChainFacts } from "./ChainFacts.tsx";
import { EvidenceFacts } from "./EvidenceFacts.tsx";
import css from "./Inspector.module.css";
import { NodeFacts } from "./NodeFacts.tsx";
import { ProposalFacts } from "./ProposalFacts.tsx";

const TITLES = { node: "Validator", block: "Block", proposal: "Proposal", evidence: "Evidence" };

/** Details of the selection; without one, of the chain. */
export default function Inspector() {
  const { selection } = useRoute();
  const id = selection?.id ?? "";
  const ref = useRef<HTMLElement>(null);
  const close = useRestoredFocus(ref, selection !== undefined);
  const swipe = useSwipeDown(close);
  useEffect(() => {
    // The sheet over the lower half of a small screen leaves the ring visible.
    if (id && isPhone()) document.getElementById("ring")?.scrollIntoView({ block: "start" });
  }, [id]);
  return (
    <section ref={ref} className={css.inspector} aria-label="Inspector">
      {selection && (
        <header className={css.head} {...swipe}>
          <h2>
            <span className="soft">{TITLES[selection.kind]}</span>{" "}
            {selection.kind === "evidence" ? "" : id}
          </h2>
          <button type="button" data-plain="" aria-label="Close the inspector" onClick={close}>
            <Icon name="close" size={14} />
          </button>
        </header>
      )}
      {!selection && <ChainFacts />}
      {selection?.kind === "node" && <NodeFacts name={id} />}
      {selection?.kind === "block" && (
        <Numbered id={id} what="height">
          {(height) => <BlockFacts height={height} />}
        </Numbered>
      )}
      {selection?.kind === "proposal" && (
        <Numbered id={id} what="number of a proposal">
          {(number) => <ProposalFacts id={number} />}
        </Numbered>
      )}
      {selection?.kind === "evidence" && <EvidenceFacts hash={id} />}
    </section>
  );
}

interface NumberedProps {
  id: string;
  what: string;
  children: (number: number) => ReactNode;
}

/** Parses a numeric id of the address; one that no chain can reach is refused without a query. */
function Numbered({ id, what, children }: NumberedProps) {
  if (/^\d{1,10}$/.test(id)) return children(Number(id));
  return (
    <p className="soft">
      The address asks for “{shortName(id, 30)}”, which is no {what}.
    </p>
  );
}

/** Closes the details, and returns the focus to the element that had it before the selection. */
function useRestoredFocus(ref: RefObject<HTMLElement | null>, open: boolean): () => void {
  const opener = useRef<Element>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (open && !ref.current?.contains(activeElement)) opener.current = activeElement;
    else if (!open && opener.current instanceof HTMLElement) {
      if (activeElement === document.body) opener.current.focus({ preventScroll: true });
      opener.current = null;
    }
  }, [open, ref]);
  return () => goTo({ selection: undefined });
}

const SWIPE_PX = 48;

/** Handlers for the head of a sheet: swiping it down closes it. */
function useSwipeDown(close: () => void) {
  const from = useRef<number>(undefined);
  return {
    onPointerDown: ({ clientY, currentTarget, target, pointerId }: PointerEvent) => {
      if ((target as Element).closest("button")) return;
      from.current = clientY;
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerUp: ({ clientY }: PointerEvent) => {
      if (clientY - (from.current ?? clientY) > SWIPE_PX) close();
      from.current = undefined;
    },
  };
}
