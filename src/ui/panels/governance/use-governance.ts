import { useEffect, useState } from "react";
import { useFrameState, usePage } from "../../store/page.ts";
import type { Frame, ProposalCourse, ProposalView } from "../../store/types.ts";

/** A proposal with its periods. */
export type Course = ProposalCourse & { readonly proposal: ProposalView };

interface Cached {
  readonly world: string;
  readonly courses: readonly Course[];
  /** Reason why they are unknown, in the engine's words. */
  readonly problem: string;
}

/**
 * All proposals with their periods; undefined until loaded. They are queried again with every
 * change of a proposal, and with every block while one is open, one query at a time.
 */
export function useGovernance(): Cached | undefined {
  const { client, frames } = usePage();
  const world = useFrameState(({ frame }) => frame?.world ?? "");
  const [known, setKnown] = useState<Cached>();
  useEffect(() => {
    let current = true;
    let asking = false;
    let requested = "";
    const ask = async (): Promise<void> => {
      const { frame, at } = frames.getState();
      if (!frame || asking || at === undefined) return;
      const about = `${at} ${aboutOf(frame)}`;
      if (about === requested) return;
      asking = true;
      requested = about;
      const answer = await client.lab.getGovernance({}).then(
        ({ proposals }) => ({ courses: proposals.filter(isWhole), problem: "" }),
        ({ message }: Error) => ({ courses: [], problem: message }),
      );
      asking = false;
      if (!current) return;
      setKnown({ world: frame.world, ...answer });
      void ask();
    };
    void ask();
    const unsubscribe = frames.subscribe(() => void ask());
    return () => {
      current = false;
      unsubscribe();
    };
  }, [client, frames]);
  return known?.world === world ? known : undefined;
}

const isWhole = (course: ProposalCourse): course is Course => course.proposal !== undefined;

/** A key that changes whenever an answer may. */
function aboutOf({ world, proposals, chain }: Frame): string {
  const open = proposals.some(({ status }) => status === "deposit" || status === "voting");
  const each = proposals.map(({ id, status, deposit, votingEnd, yes, no, veto, abstain }) =>
    [id, status, deposit, votingEnd, yes, no, veto, abstain].join(),
  );
  return [world, open && chain?.height, ...each].join(" ");
}
