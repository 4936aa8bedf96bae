import { Letter } from "../panels/compare/Letter.tsx";
import type { ComparedSides } from "../store/dialog.ts";
import { useDialog } from "../store/page.ts";
import { useQuery } from "../store/use-query.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { count, UNNAMED } from "../widgets/format.ts";
import css from "./Why.module.css";
import { Explanation, subjectOf, TITLES, WhyFoot } from "./Why.tsx";

/** Explains an object in both compared worlds, side by side. */
export default function WhyBoth() {
  const subject = useDialog((dialog) => dialog.subject);
  const sides = useDialog((dialog) => dialog.sides);
  const { kind, id } = subjectOf(subject);
  if (sides === undefined) return null;
  return (
    <Dialog title={TITLES[kind](id)} wide>
      <div className={css.both}>
        <OneSide letter="A" subject={subject} side={sides.a} />
        <OneSide letter="B" subject={subject} side={sides.b} />
      </div>
      <WhyFoot />
    </Dialog>
  );
}

interface OneSideProps {
  letter: "A" | "B";
  subject: string;
  side: ComparedSides["a"];
}

function OneSide({ letter, subject, side }: OneSideProps) {
  const name = side.name || UNNAMED;
  const { height = 0 } = side.request ?? {};
  const query = useQuery(`${letter} ${subject}`, (lab) =>
    lab.explainCompared({ side: side.request, ...subjectOf(subject) }),
  );
  return (
    <section aria-label={`${letter}: ${name}`}>
      <header>
        <Letter of={letter} /> <b>{name}</b>
        {height > 0 && <span className="soft small"> block {count(height)}</span>}
      </header>
      <Explanation {...query} />
    </section>
  );
}
