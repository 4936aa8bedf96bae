import { drawnElement } from "../../pictures/drawn.ts";
import type { Drawn } from "../../pictures/picture.ts";
import SavePicture from "../../pictures/SavePicture.tsx";
import type { FrameState } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import InjectedFaults from "./InjectedFaults.tsx";

/** Injected faults and the button that saves the ring's picture, shown after the first blocks. */
export default function UnderRing() {
  const injected = useFrameState(hasInjected);
  return (
    <>
      {injected && <InjectedFaults />}
      <SavePicture title="Validators" drawn={drawnRing} />
    </>
  );
}

/** True if faults are planned or chaos is running. */
const hasInjected = ({ frame }: FrameState): boolean =>
  frame?.faults?.chaos !== undefined ||
  frame?.faults?.faults.some(({ planned }) => planned) === true;

function drawnRing(): Drawn | undefined {
  const ring = document.getElementById("ring");
  return ring ? drawnElement(ring) : undefined;
}
