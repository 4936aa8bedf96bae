import { useWorld } from "../../store/frame-store.ts";
import { AppHashCard } from "./AppHashCard.tsx";
import { ForkCard } from "./ForkCard.tsx";

/** What only a chain that has come apart has to say. */
export default function DivergenceCards() {
  const split = useWorld((world) => world.split);
  // Two chains hold different states as a matter of course.
  const forked = useWorld(({ frame }) => (frame?.forks.length ?? 0) > 0);
  return (
    <>
      {split && <ForkCard split={split} />}
      {!forked && <AppHashCard />}
    </>
  );
}
