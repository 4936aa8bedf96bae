import { unjailStep } from "../../dialogs/proposal-step.ts";
import { useActions, useFrameState, usePage } from "../../store/page.ts";
import type { Validator } from "../../store/types.ts";
import { useAsked } from "../../store/use-asked.ts";
import { Fact, Facts, Moment } from "../../widgets/Facts.tsx";
import { count, dayClock } from "../../widgets/format.ts";
import { SteerButton } from "../../widgets/SteerButton.tsx";
import css from "./inspect.module.css";

interface SigningInfo {
  readonly val_signing_info: { readonly jailed_until: string };
}

/** What moves a validator's stake by hand, and where it is jailed since what, until when, and the way back. */
export function Staking({ validator }: { validator: Validator }) {
  const { openDialog } = useActions();
  const { name, jailed, tombstoned } = validator;
  return (
    <div className={css.group}>
      <h3>Stake</h3>
      {jailed && !tombstoned && <Jail key={name} validator={validator} />}
      <div className={css.actions}>
        <SteerButton onClick={() => openDialog("stake", name)}>
          Delegate, undelegate, send…
        </SteerButton>
      </div>
    </div>
  );
}

/** Why a validator is jailed, and from when on it may unjail. */
function Jail({ validator: { name, consensusAddress } }: { validator: Validator }) {
  const { client } = usePage();
  const { act } = useActions();
  const clock = useFrameState(({ frame }) => frame?.chain?.clock ?? "");
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  const { answer } = useAsked(consensusAddress, () =>
    client.query<SigningInfo>("chain.slashing.v1beta1.Query/SigningInfo", {
      cons_address: consensusAddress,
    }),
  );
  if (!answer) return null;
  const until = answer.val_signing_info.jailed_until;
  const offline = Date.parse(until) > 0;
  const early = offline && Date.parse(clock) < Date.parse(until);
  return (
    <>
      <Facts>
        <Fact name="jailed because">
          {offline ? "it missed too many blocks" : "its own delegation is below its minimum"}
        </Fact>
        {offline && (
          <Fact name="jailed until">
            <Moment time={until} />
          </Fact>
        )}
      </Facts>
      <div className={css.actions}>
        <SteerButton
          disabled={early}
          onClick={() =>
            act(
              unjailStep(name),
              ({ height }) => `${name} has unjailed itself in block ${count(height)}.`,
            )
          }
        >
          {early ? `Unjail from ${dayClock(until, genesis)} on` : "Unjail"}
        </SteerButton>
      </div>
    </>
  );
}
