import { useFrameState } from "../../store/page.ts";
import { AppHashCard } from "./AppHashCard.tsx";
import { ForkCard } from "./ForkCard.tsx";

/** What only a chain that has come apart has to say. */
export default function DivergenceCards() {
  const split = useFrameState((world) => world.split);
  // Two chains hold different states as a matter of course.
  const forked = useFrameState(({ frame }) => (frame?.forks.length ?? 0) > 0);
  return (
    <>
      {split && <ForkCard split={split} />}
      {!forked && <AppHashCard />}
    </>
  );
}
