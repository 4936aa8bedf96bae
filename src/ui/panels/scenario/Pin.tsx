import { useState } from "react";
import { useStore } from "zustand";
import { errorText } from "../../../base/error-text.ts";
import { usePage } from "../../store/page.ts";
import { useRoute } from "../../store/route.ts";
import type { ProposedExpectation, ProposedExpectations } from "../../store/types.ts";
import type { OpenScenario } from "./document.ts";
import css from "./scenario.module.css";

/**
 * Lists assertions about the current selection, as it is shown, at the step of the scenario that
 * matches. Choosing one inserts it as a step.
 */
export function Pin({ scenario }: { scenario: OpenScenario }) {
  const { client } = usePage();
  const { selection } = useRoute();
  const pinning = useStore(scenario.store, (state) => state.pinning);
  const [found, setFound] = useState<ProposedExpectations>();
  const [problem, setProblem] = useState("");
  const ask = async (): Promise<void> => {
    try {
      const { kind = "chain", id = "" } = selection ?? {};
      const { text, file } = scenario.store.getState();
      setFound(await client.lab.proposeExpectations({ kind, id, text, file }));
      setProblem("");
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const add = async ({ run, step, at }: ProposedExpectation): Promise<void> => {
    const steps = run === "" ? [step] : [run, step];
    // Relative to the list as shown: the second one is inserted after the first.
    const added = await Promise.all(
      steps.map((one) => scenario.edit({ edit: "insert", at, step: one })),
    );
    if (added.every(Boolean)) await ask();
  };
  return (
    <details
      className={`${css.more} ${css.pin}`}
      open={pinning}
      onToggle={({ currentTarget: { open } }) => {
        scenario.store.setState({ pinning: open });
        if (open) void ask();
        else setFound(undefined);
      }}
    >
      <summary>Assert a current value…</summary>
      <div>
        {problem ? (
          <p role="alert">{problem}</p>
        ) : (
          !found && <p className="soft small">Running the file to where this is shown…</p>
        )}
        {found?.expectations.map((one) => (
          <button key={one.sentence} type="button" onClick={() => void add(one)}>
            {one.sentence}
          </button>
        ))}
        {found?.leftOut && <p className="soft small">{found.leftOut}</p>}
      </div>
    </details>
  );
}
