import { useActions, useFrameState } from "../store/page.ts";
import { hrefTo, useRoute } from "../store/route.ts";
import type { Activity, EvidenceView } from "../store/types.ts";
import { count, short } from "../widgets/format.ts";
import { Icon, type IconName } from "../widgets/Icon.tsx";
import { SteerButton } from "../widgets/SteerButton.tsx";
import { useNames } from "../widgets/use-names.ts";
import css from "./Evidence.module.css";
import { type Item, pipeline } from "./evidence-pipeline.ts";

const SHOWN = 30;

/** What became of every piece of evidence, decision by decision, and what is stored. */
export default function Evidence() {
  const { openDialog } = useActions();
  const { selection } = useRoute();
  const steps = useFrameState(({ activity }) => activity.step);
  const named = useNames();
  const items = pipeline(steps).slice(0, SHOWN);
  return (
    <div className={css.evidence}>
      <section className={`card ${css.pipeline}`} aria-labelledby="pipeline">
        <header className={css.head}>
          <h2 id="pipeline">What the chain decided about each piece</h2>
          <SteerButton
            data-primary=""
            onClick={() =>
              openDialog("double-sign", selection?.kind === "node" ? selection.id : "")
            }
          >
            Inject… <kbd>D</kbd>
          </SteerButton>
        </header>
        {items.length === 0 ? (
          <p className="soft">
            No evidence has reached this chain yet. Inject some, and every check appears here with
            what it found: also for evidence that is ignored.
          </p>
        ) : (
          <ol className={css.items}>
            {items.map((item) => (
              <PipelineItem key={item.key} item={item} named={named} />
            ))}
          </ol>
        )}
      </section>
      <Stored />
    </div>
  );
}

const VERDICTS: Readonly<Record<string, { icon: IconName; label: string }>> = {
  ok: { icon: "check", label: "accepted" },
  refused: { icon: "cross", label: "refused" },
  ignored: { icon: "minus", label: "ignored" },
  halt: { icon: "stop", label: "stopped the node" },
  info: { icon: "info", label: "noted" },
};

function PipelineItem({ item, named }: { item: Item; named: (text: string) => string }) {
  const verdict = VERDICTS[item.outcome] ?? VERDICTS.info;
  return (
    <li className={css.item}>
      <p className={css.title}>
        <span className={css.verdict} data-outcome={item.outcome}>
          {verdict && <Icon name={verdict.icon} size={14} />}
          {verdict?.label}
        </span>
        <b>{item.title}</b>
        <a
          className="small"
          href={hrefTo({ selection: { kind: "block", id: String(item.height) } })}
        >
          block {count(item.height)}
        </a>
      </p>
      <ol className={css.stages}>
        {item.steps.map((step) => (
          <Stage key={step.seq} step={step} named={named} />
        ))}
      </ol>
    </li>
  );
}

function Stage({ step, named }: { step: Activity; named: (text: string) => string }) {
  const mark = VERDICTS[step.outcome] ?? VERDICTS.info;
  return (
    <li className={css.stage} data-outcome={step.outcome}>
      <span className={css.what}>
        {mark && <Icon name={mark.icon} size={13} />}
        {step.what || step.module}
      </span>
      <span className={css.found}>{named(step.found || step.text)}</span>
    </li>
  );
}

const NONE: readonly EvidenceView[] = [];

function Stored() {
  const evidence = useFrameState(({ frame }) => frame?.evidence ?? NONE);
  return (
    <section className="card" aria-labelledby="stored">
      <h2 id="stored">Stored evidence</h2>
      {evidence.length === 0 ? (
        <p className="soft">The store is empty.</p>
      ) : (
        <div className={css.scroll}>
          <table>
            <thead>
              <tr>
                <th>Hash</th>
                <th>Type</th>
                <th>Validator</th>
                <th className="number">Offence at</th>
                <th className="number">Power</th>
              </tr>
            </thead>
            <tbody>
              {evidence.map((each) => (
                <tr key={each.hash}>
                  <td>
                    <a
                      className={css.hash}
                      href={hrefTo({ selection: { kind: "evidence", id: each.hash } })}
                    >
                      {short(each.hash)}
                    </a>
                  </td>
                  <td>{each.type}</td>
                  <td>{each.validator}</td>
                  <td className="number">{count(each.height)}</td>
                  <td className="number">{each.power}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
