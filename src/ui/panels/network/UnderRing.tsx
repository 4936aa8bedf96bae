import { drawnElement } from "../../pictures/drawn.ts";
import type { Drawn } from "../../pictures/picture.ts";
import SavePicture from "../../pictures/SavePicture.tsx";
import type { FrameState } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import InjectedFaults from "./InjectedFaults.tsx";

/** What stands beside the ring when the first blocks are there: the injected faults, and the corner that saves its picture. */
export default function UnderRing() {
  const injected = useFrameState(hasInjected);
  return (
    <>
      {injected && <InjectedFaults />}
      <SavePicture title="Validators" drawn={drawnRing} />
    </>
  );
}

/** Whether faults are planned, or chaos is running. */
const hasInjected = ({ frame }: FrameState): boolean =>
  frame?.faults?.chaos !== undefined ||
  frame?.faults?.faults.some(({ planned }) => planned) === true;

function drawnRing(): Drawn | undefined {
  const ring = document.getElementById("ring");
  return ring ? drawnElement(ring) : undefined;
}
