import { lazy, Suspense } from "react";
import { Ring } from "../panels/Ring.tsx";
import { ValidatorTable } from "../panels/ValidatorTable.tsx";
import { useWorld } from "../store/frame-store.ts";
import type { Node } from "../store/types.ts";
import { list, plural } from "../widgets/format.ts";
import css from "./Network.module.css";

const RoundStrip = lazy(() => import("../panels/RoundStrip.tsx"));

/** The validators, who signed, and the round that is going on: as a picture and in words. */
export function Network() {
  return (
    <div className={css.network}>
      <div className={`card ${css.picture}`}>
        <Ring />
        <Signers />
      </div>
      <div className={`card ${css.table}`}>
        <ValidatorTable />
        <Suspense>
          <RoundStrip />
        </Suspense>
      </div>
    </div>
  );
}

const NONE: readonly Node[] = [];

/** Who signed; a halted chain has a card that says more. */
function Signers() {
  const halted = useWorld(({ frame }) => frame?.standing?.state === "halted");
  const sentence = useWorld(({ frame }) => signers(frame?.nodes ?? NONE));
  const next = useWorld(({ frame }) => frame?.nodes.find((node) => node.proposer)?.name);
  if (halted) return null;
  return (
    <p className={css.signers}>
      {sentence} {next && <span className={css.next}>{next} proposes the next.</span>}
    </p>
  );
}

function signers(nodes: readonly Node[]): string {
  const voters = nodes.filter((node) => node.power > 0);
  const missing = voters.filter((node) => !node.signed).map((node) => node.name);
  if (voters.length === 0) return "";
  if (missing.length === 0)
    return `All ${plural(voters.length, "validator")} signed the last block.`;
  const who = missing.length > 4 ? `${missing.length} of ${voters.length}` : list(missing);
  return `${who} did not sign the last block.`;
}
