import { useFrameState, usePage } from "../../store/page.ts";
import { saveGenesis } from "../../store/save-chain.ts";
import type { Frame } from "../../store/types.ts";
import { duration } from "../../widgets/duration.ts";
import { Fact, Facts, LongId, Moment } from "../../widgets/Facts.tsx";
import { amount, plural } from "../../widgets/format.ts";
import css from "./inspect.module.css";

export function ChainFacts() {
  const page = usePage();
  const chain = useFrameState(({ frame }) => frame?.chain);
  const rate = useFrameState(({ frame }) => (frame ? rateText(frame) : ""));
  if (!chain) return null;
  return (
    <>
      <h2>The chain {chain.chainId}</h2>
      <Facts>
        <Fact name="last block">{chain.time ? <Moment time={chain.time} /> : "none yet"}</Fact>
        <Fact name="block time">{duration(chain.blockTimeMs / 1000)}</Fact>
        <Fact name="block rate">{rate}</Fact>
        <Fact name="app hash">
          <LongId id={chain.appHash} name="app hash" />
        </Fact>
        <Fact name="supply">
          {amount(chain.supply)} {chain.denom}
        </Fact>
        <Fact name="slashed">
          {amount(chain.burned)} {chain.denom}
        </Fact>
        <Fact name="max evidence age">{duration(chain.maxEvidenceAgeSeconds)}</Fact>
        <Fact name="unbonding time">{duration(chain.unbondingSeconds)}</Fact>
        <Fact name="voting period">{duration(chain.votingSeconds)}</Fact>
        <Fact name="profile">{chain.profile}</Fact>
      </Facts>
      <p>
        <button
          type="button"
          title="To continue this chain in another, open the file as a scenario of your own or pass it to chainlab run."
          onClick={() => saveGenesis(page)}
        >
          Save as a genesis file
        </button>
      </p>
      <p className={css.hint}>
        Select a validator, block, proposal or piece of evidence for details.
      </p>
    </>
  );
}

/** Recent blocks per second; if the chain makes none, the reason. */
function rateText({ player, chainStatus }: Frame): string {
  if (chainStatus?.state === "halted") return "none: the chain is halted";
  if (!player?.playing && !player?.busy) return "none: it is paused";
  if (player.formOpen) return "none: a form is open";
  if (player.rate === 0) return "not measured yet";
  return player.rate < 0.95
    ? `${player.rate} blocks per second`
    : `${plural(Math.round(player.rate), "block")} per second`;
}
