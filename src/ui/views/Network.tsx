import { Suspense } from "react";
import { Ring } from "../panels/network/Ring.tsx";
import { ValidatorTable } from "../panels/network/ValidatorTable.tsx";
import type { FrameState } from "../store/frame-store.ts";
import { useActions, useFrameState } from "../store/page.ts";
import { situationOf } from "../store/situation.ts";
import type { Node, Validator } from "../store/types.ts";
import { ControlButton } from "../widgets/ControlButton.tsx";
import { list, plural } from "../widgets/format.ts";
import { lazyPart } from "../widgets/lazy-part.tsx";
import css from "./Network.module.css";

const UnderRing = lazyPart("", () => import("../panels/network/UnderRing.tsx"));
const RoundStrip = lazyPart("The round", () => import("../panels/network/RoundStrip.tsx"));
const AppHashCard = lazyPart("The app hashes", () => import("../panels/cards/AppHashCard.tsx"));

/** The validators, the signers and the current round, as a picture and as a table. */
export function Network() {
  const { openDialog } = useActions();
  const diverged = useFrameState(hasDiverged);
  const hasBand = useFrameState(bandSaysMore);
  return (
    <div className={css.network} data-said={hasBand || undefined}>
      <Suspense>{diverged && <AppHashCard />}</Suspense>
      <div className={`card ${css.picture}`}>
        <Ring />
        <Suspense>
          <UnderRing />
        </Suspense>
        <div className={css.foot}>
          <Signers />
          <ControlButton
            title="Crashes, partitions, second nodes (I)"
            onClick={() => openDialog("faults")}
          >
            Inject a fault…
          </ControlButton>
        </div>
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

/** True if nodes at the same height of one chain have different states. */
function hasDiverged({ frame }: FrameState): boolean {
  const nodes = frame?.nodes ?? NONE;
  const kinds = (of: (node: Node) => string): number => new Set(nodes.map(of)).size;
  return (
    frame?.forks.length === 0 &&
    kinds(({ height }) => `${height}`) < kinds(({ height, appHash }) => `${height}${appHash}`)
  );
}

const NONE: readonly Node[] = [];

/** True if the chain is halted or split: the band then explains it, with the hashes. */
const bandSaysMore = ({ frame }: FrameState): boolean => {
  const situation = frame && situationOf(frame);
  return situation === "halted" || situation === "split";
};

/** The signers of the last block. */
function Signers() {
  const hasBand = useFrameState(bandSaysMore);
  const sentence = useFrameState(({ frame }) => {
    const { height = 0, initialHeight = 1 } = frame?.chain ?? {};
    return height < initialHeight ? "" : signers(frame?.validators ?? []);
  });
  const next = useFrameState(
    ({ frame }) => frame?.validators.find(({ proposer }) => proposer)?.name,
  );
  if (hasBand) return null;
  return (
    <p className={css.signers}>
      {sentence} {next && <span className={css.next}>{next} proposes the next.</span>}
    </p>
  );
}

function signers(validators: readonly Validator[]): string {
  // From the set of that block, which may differ from the next one's.
  const voters = validators.filter(({ signed, absent }) => signed || absent);
  const missing = voters.filter(({ absent }) => absent).map(({ name }) => name);
  if (voters.length === 0) return "";
  if (voters.length === 1)
    return `${voters[0]?.name} alone ${missing[0] ? "did not sign" : "signed"} the last block.`;
  if (missing.length === 0 && voters.length === 2) return "Both validators signed the last block.";
  if (missing.length === 0)
    return `All ${plural(voters.length, "validator")} signed the last block.`;
  const who = missing.length > 4 ? `${missing.length} of ${voters.length}` : list(missing);
  return `${who} did not sign the last block.`;
}
