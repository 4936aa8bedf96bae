import { Suspense, useEffect, useState } from "react";
import { useStore } from "zustand";
import { CoverageCard } from "../panels/lab/CoverageCard.tsx";
import { labOf } from "../panels/lab/document.ts";
import { Findings } from "../panels/lab/Findings.tsx";
import { Hypothesis } from "../panels/lab/Hypothesis.tsx";
import css from "../panels/lab/lab.module.css";
import { SearchCard } from "../panels/lab/SearchCard.tsx";
import { usePage } from "../store/page.ts";
import { plural } from "../widgets/format.ts";
import { lazyPart } from "../widgets/lazy-part.tsx";
import { Segmented } from "../widgets/Segmented.tsx";
import { closeDocument } from "./close-document.ts";

const FollowCard = lazyPart(
  "What is followed",
  () => import("../panels/lab/follow/FollowCard.tsx"),
  // The chart library is too large to be fetched ahead.
  false,
);

const CompareCard = lazyPart(
  "What is compared",
  () => import("../panels/lab/CompareCard.tsx"),
  false,
);

type Shown = "findings" | "coverage" | "follow" | "compare";

const PARTS = [
  ["findings", Findings],
  ["coverage", CoverageCard],
  ["follow", FollowCard],
  ["compare", CompareCard],
] as const;

/** A hypothesis, the search for a counterexample, and the counterexample's story. */
export default function Lab() {
  const page = usePage();
  const lab = labOf(page);
  const found = useStore(lab.store, ({ search }) => search?.findings.length ?? 0);
  const [shown, setShown] = useState<Shown>("findings");
  const [seen, setSeen] = useState<ReadonlySet<Shown>>(new Set([shown]));
  const show = (part: Shown): void => {
    setShown(part);
    setSeen(new Set([...seen, part]));
  };
  useEffect(() => {
    // Another page of the same node may have started one.
    void lab.follow();
  }, [lab]);
  return (
    <div className={css.lab} data-part="lab">
      <header className={css.head}>
        <h2>State what must never happen; find the shortest run in which it does</h2>
        <Segmented
          legend="What is shown"
          options={[
            ["findings", found === 0 ? "Findings" : plural(found, "finding")],
            ["coverage", "Coverage"],
            ["follow", "Follow a value"],
            ["compare", "Compare"],
          ]}
          value={shown}
          onChange={show}
        />
        <button type="button" data-plain="" onClick={() => closeDocument("lab")}>
          Leave the lab
        </button>
      </header>
      <SearchCard lab={lab} />
      <div className={css.panes} data-found={shown !== "findings" || found > 0 || undefined}>
        <Hypothesis lab={lab} />
        {PARTS.map(
          ([part, Part]) =>
            seen.has(part) && (
              // Hidden, not unmounted: its queries continue while another part is shown.
              <div key={part} className={css.column} hidden={part !== shown}>
                <Suspense>
                  <Part lab={lab} />
                </Suspense>
              </div>
            ),
        )}
      </div>
    </div>
  );
}
