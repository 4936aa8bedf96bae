import { useFrameState } from "../../store/page.ts";
import { AppHashCard } from "./AppHashCard.tsx";
import { ForkCard } from "./ForkCard.tsx";

/** The cards of a chain that has split, or whose nodes hold different app hashes. */
export default function DivergenceCards() {
  const split = useFrameState((state) => state.split);
  // Two chains hold different states as a matter of course.
  const forked = useFrameState(({ frame }) => (frame?.forks.length ?? 0) > 0);
  return (
    <>
      {split && <ForkCard split={split} />}
      {!forked && <AppHashCard />}
    </>
  );
}
