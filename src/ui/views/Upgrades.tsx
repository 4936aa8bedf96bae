import { Sidecars } from "../panels/sidecars/Sidecars.tsx";
import { plansVotedOn } from "../panels/timeline/timeline-layout.ts";
import { threshold } from "../store/halt.ts";
import { useActions, useFrameState } from "../store/page.ts";
import { hrefTo } from "../store/route.ts";
import type { EndedPlan, Frame, PlanView } from "../store/types.ts";
import { CancelWindow } from "../widgets/CancelWindow.tsx";
import { ControlButton } from "../widgets/ControlButton.tsx";
import { duration } from "../widgets/duration.ts";
import { count, dayClock, list, percent, plural } from "../widgets/format.ts";
import { OnDemand } from "../widgets/OnDemand.tsx";
import { PowerBar } from "../widgets/PowerBar.tsx";
import { readyParts } from "../widgets/power-parts.ts";
import { WhyButton } from "../widgets/WhyButton.tsx";
import { AppliedHeader } from "./AppliedHeader.tsx";
import { ModuleVersions } from "./ModuleVersions.tsx";
import { NodePlanMatrix } from "./NodePlanMatrix.tsx";
import css from "./Upgrades.module.css";

/** The Upgrades view: the plan, the readiness of the validators, and the module versions. */
export default function Upgrades() {
  return (
    <div className={css.upgrades}>
      <Plan />
      <Sidecars />
      <div className={css.columns}>
        <NodePlanMatrix />
        <div className={css.stack}>
          <ModuleVersions />
          <History />
        </div>
      </div>
    </div>
  );
}

function Plan() {
  const { openDialog } = useActions();
  const frame = useFrameState((world) => world.frame);
  const plan = frame?.plan;
  if (!frame || !plan?.name) {
    const voted = plansVotedOn(frame?.proposals ?? []);
    return (
      <section className={`card ${css.none}`} data-part="plan">
        <div>
          <h2>No upgrade is planned{voted.length > 0 && " yet"}</h2>
          {voted.map(({ id, planName, planHeight, votingEnd }) => (
            <p key={id}>
              <a href={hrefTo({ selection: { kind: "proposal", id: String(id) } })}>
                {planName} at {count(planHeight)}
              </a>
              : voting until {dayClock(votingEnd, frame?.chain?.genesisTime ?? "")}, proposal {id}.
            </p>
          ))}
          {voted.length === 0 && (
            <p className="soft">
              Propose one, watch the plan count down, and see what each node does at its height.
            </p>
          )}
        </div>
        <ControlButton data-primary="" onClick={() => openDialog("upgrade")}>
          Propose an upgrade… <kbd>U</kbd>
        </ControlButton>
      </section>
    );
  }
  return <Countdown frame={frame} plan={plan} />;
}

function Countdown({ frame, plan }: { frame: Frame; plan: PlanView }) {
  const { openDialog } = useActions();
  const left = plan.height - (frame.chain?.height ?? 0);
  // Then the card about the halt is enough.
  if (left <= 1 && frame.chainStatus?.state === "halted") return null;
  const seconds = (left * (frame.chain?.blockTimeMs ?? 0)) / 1000;
  return (
    <section className="card" data-part="plan" aria-label="Planned upgrade">
      <div className={css.plan}>
        <div>
          <h2>
            Plan {plan.name}, due at height {count(plan.height)}
          </h2>
          <p className={css.countdown} data-testid="countdown">
            {left > 1 ? (
              <>
                in <b>{plural(left, "block")}</b>, about {duration(seconds)} of chain time
              </>
            ) : (
              <b>due with the next block</b>
            )}
          </p>
          {plan.info && <p className="soft small">{plan.info}</p>}
        </div>
        <div className={css.buttons}>
          <WhyButton kind="plan" id={plan.name} of={`plan ${plan.name}`} />
          <Stage frame={frame} plan={plan} />
          <ControlButton onClick={() => openDialog("upgrade", "cancel")}>Cancel it…</ControlButton>
        </div>
      </div>
      <Readiness frame={frame} plan={plan} />
      <Cancelling frame={frame} plan={plan} />
    </section>
  );
}

/** Deadline for cancelling the scheduled plan by another vote. */
function Cancelling({ frame, plan }: { frame: Frame; plan: PlanView }) {
  const advice = frame.proposals.findLast(
    ({ planName, planHeight }) => planName === plan.name && planHeight === plan.height,
  )?.advice;
  return (
    advice && (
      <div className={css.cancelling}>
        <CancelWindow advice={advice} planHeight={plan.height} />
      </div>
    )
  );
}

/** The voting power that is currently ready to pass the plan's height. */
function Readiness({ frame, plan }: { frame: Frame; plan: PlanView }) {
  const total = frame.chainStatus?.totalPower ?? 0;
  const needed = frame.chainStatus?.neededPower ?? 0;
  const parts = readyParts(frame, plan.name);
  const ready = parts.reduce((sum, { power }) => sum + power, 0);
  const shares = parts.map(({ label, power }) => `${percent(power, total)} ${label}`);
  return (
    <div className={css.readiness}>
      <PowerBar
        parts={[
          ...parts,
          { label: "without the Handler", power: total - ready, binary: undefined },
        ]}
      />
      <p className="small soft">
        {shares.length > 0 ? list(shares) : "No validator is ready"} for &quot;{plan.name}&quot;.
        The upgrade needs {threshold(needed, total)}.
      </p>
    </div>
  );
}

/** Installs a binary with the handler where each node finds it at the plan's height. */
function Stage({ frame, plan }: { frame: Frame; plan: PlanView }) {
  const { act } = useActions();
  const binaries = frame.binaries.filter(
    ({ name, handlers }) =>
      handlers.includes(plan.name) &&
      frame.nodes.some((node) => node.binary !== name && node.staged !== name),
  );
  return binaries.map(({ name }) => (
    <ControlButton
      key={name}
      onClick={() =>
        act({ nodes: { which: "all", stage: name } }, `${name} is on every node's disk.`)
      }
    >
      Stage {name} on every node
    </ControlButton>
  ));
}

const NO_PLANS: readonly EndedPlan[] = [];

function History() {
  const applied = useFrameState(({ frame }) => frame?.applied) ?? [];
  const ended = useFrameState(({ frame }) => frame?.endedPlans ?? NO_PLANS);
  if (applied.length + ended.length === 0) return null;
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">{applied.length > 0 ? "Upgrades done" : "Plans cancelled"}</h2>
      {applied.map(({ name, height }) => (
        <OnDemand key={`${name}${height}`} title={`${name} at height ${count(height)}`}>
          {() => (
            <>
              <p>
                <WhyButton kind="plan" id={name} of={`plan ${name}`} />
              </p>
              <AppliedHeader name={name} />
            </>
          )}
        </OnDemand>
      ))}
      <ul>
        {ended.map((plan) => (
          <li key={`${plan.name}${plan.height} ${plan.block}`} className={css.ended}>
            <s>
              {plan.name} at {count(plan.height)}
            </s>
            , cancelled in{" "}
            <a href={hrefTo({ selection: { kind: "block", id: String(plan.block) } })}>
              block {count(plan.block)}
            </a>{" "}
            <WhyButton kind="plan" id={plan.name} of={`plan ${plan.name}`} inline />
          </li>
        ))}
      </ul>
    </section>
  );
}
