import { unjailStep } from "../../dialogs/proposal-step.ts";
import { useActions, useFrameState, usePage } from "../../store/page.ts";
import { previewStep } from "../../store/preview-step.ts";
import type { Validator } from "../../store/types.ts";
import { useQuery } from "../../store/use-query.ts";
import { ControlButton, useOnlyWatches } from "../../widgets/ControlButton.tsx";
import { Fact, Facts, Moment } from "../../widgets/Facts.tsx";
import { count, dayClock } from "../../widgets/format.ts";
import { PausedNote } from "../../widgets/PausedNote.tsx";
import css from "./inspect.module.css";

interface SigningInfo {
  readonly val_signing_info: { readonly jailed_until: string };
}

/** Staking actions for a validator, and its jailing: reason, start, end, and how to unjail. */
export function Staking({ validator }: { validator: Validator }) {
  const { openDialog } = useActions();
  const { name, jailed, tombstoned } = validator;
  const isJailed = jailed && !tombstoned;
  if (useOnlyWatches() && !isJailed) return null;
  return (
    <div className={css.group}>
      <h3>Stake</h3>
      {isJailed && <Jail key={name} validator={validator} />}
      <div className={css.actions}>
        <ControlButton onClick={() => openDialog("stake", name)}>
          Delegate, undelegate, send…
        </ControlButton>
      </div>
    </div>
  );
}

/** The time from which a jailed validator may unjail. */
function Jail({ validator: { name, consensusAddress, tokens } }: { validator: Validator }) {
  const { client } = usePage();
  const { act } = useActions();
  const clock = useFrameState(({ frame }) => frame?.chain?.clock ?? "");
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  const { answer: until } = useQuery(consensusAddress, async () => {
    const query = "chain.slashing.v1beta1.Query/SigningInfo";
    const { val_signing_info } = await client.query<SigningInfo>(query, {
      cons_address: consensusAddress,
    });
    return val_signing_info.jailed_until;
  });
  const step = unjailStep(name);
  const { answer: preview } = useQuery(`${name} ${tokens}`, () =>
    previewStep(client, JSON.stringify(step)),
  );
  if (until === undefined || preview === undefined) return null;
  // The chain checks the self-delegation first; the time of an earlier jailing stays stored.
  const poor = preview.refusal?.message.includes("self delegation") ?? false;
  const missed = !poor && Date.parse(until) > 0;
  const early = missed && Date.parse(clock) < Date.parse(until);
  return (
    <>
      {missed && (
        <Facts>
          <Fact name="jailed until">
            <Moment time={until} />
          </Fact>
        </Facts>
      )}
      <div className={css.actions}>
        <ControlButton
          disabled={poor || early}
          title={poor ? preview.refusal?.message : undefined}
          onClick={() =>
            act(step, (done) => `${name} has unjailed itself in block ${count(done.height)}.`)
          }
        >
          {early ? `Unjail from ${dayClock(until, genesis)} on` : "Unjail"}
        </ControlButton>
        {!poor && !early && <PausedNote does="block" />}
      </div>
    </>
  );
}
