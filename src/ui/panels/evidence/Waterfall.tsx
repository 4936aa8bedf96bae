import type { CSSProperties } from "react";
import { Pictured } from "../../pictures/Pictured.tsx";
import type { EvidencePiece } from "../../store/types.ts";
import { amount, count, plural } from "../../widgets/format.ts";
import css from "./Waterfall.module.css";

type Slash = NonNullable<EvidencePiece["slash"]>;
type Part = Slash["parts"][number];

interface WaterfallProps {
  slash: Slash;
  /** The slashed validator, and the height of the infraction. */
  validator: string;
  height: number;
  /** Height of the block that burns it. */
  block: number;
  named: (text: string) => string;
}

/** The burned amount of a slash by source: each bar is below the stake from which it is cut. */
export function Waterfall({ slash, validator, height, block, named }: WaterfallProps) {
  const bars = barsOf(slash);
  const times = Math.round(Number(slash.stake) / totalOf(slash));
  return (
    <Pictured title={`Slash of ${validator}`}>
      <section
        className={css.scroll}
        data-part="waterfall"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label="Parts of the slash"
      >
        <table className={css.waterfall}>
          <caption>
            <b>What was burned, and from whom</b>{" "}
            {times > 1 && (
              <span className="small soft">Red bars are magnified {count(times)}×.</span>
            )}
          </caption>
          <thead className="hidden">
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Share</th>
              <th scope="col">Amount</th>
              <th scope="col">Of what</th>
            </tr>
          </thead>
          <tbody>
            <tr className={css.stake}>
              <th scope="row">
                Stood behind {validator} at {count(height)}
              </th>
              <td className={css.bars} aria-hidden="true">
                {bars.map(({ key, place, kind }) => (
                  <span key={key} className={css.bar} style={place} data-kind={kind} />
                ))}
              </td>
              <td className={css.amount}>{amount(slash.stake)}</td>
              <td className={css.of}>
                power {count(slash.power)}; {percentOf(slash.fraction)} burns:{" "}
                {amount(slash.amount)}
              </td>
            </tr>
            {bars.map(({ key, part, place, taken }) => (
              <tr key={key}>
                <th scope="row">{named(whoseOf(part, validator))}</th>
                <td className={css.bars} aria-hidden="true">
                  <span className={css.bar} style={place} data-kind="burned">
                    <span className={css.taken} style={taken} />
                  </span>
                </td>
                <td className={css.amount}>{amount(part.burned)}</td>
                <td className={css.of}>{ofWhat(part)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{block > 0 ? `Burned in block ${count(block)}` : "Burned"}</th>
              <td className={css.bars} aria-hidden="true">
                <span className={css.bar} data-kind="sum" style={share(0, shareBurned(slash))} />
              </td>
              <td className={css.amount}>
                <b>{amount(slash.burned)}</b>
              </td>
              <td className={css.of}>{sumText(slash)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </Pictured>
  );
}

const share = (from: number, width: number): CSSProperties => ({
  insetInlineStart: `${from * 100}%`,
  width: `max(2px, ${width * 100}%)`,
});

/** Returns the amount at full width: the total penalty, by parts or in total. */
function totalOf({ amount: due, parts }: Slash): number {
  const owed = parts.reduce((sum, part) => sum + Number(part.owed), 0);
  return Math.max(owed, Number(due), 1);
}

const shareBurned = (slash: Slash): number => Number(slash.burned) / totalOf(slash);

/** Each part's bar after the previous ones, with the amount that could be burned. */
function barsOf(slash: Slash) {
  const whole = totalOf(slash);
  let from = 0;
  return slash.parts.map((part, i) => {
    const owed = Number(part.owed);
    const place = share(from, owed / whole);
    from += owed / whole;
    const taken = { width: `${owed > 0 ? (Number(part.burned) / owed) * 100 : 0}%` };
    return { key: `${i} ${part.kind}`, kind: part.kind, part, place, taken };
  });
}

/** `0.05` as `5 %`. */
const percentOf = (fraction: string): string => `${Number((Number(fraction) * 100).toFixed(4))} %`;

function whoseOf({ kind, delegator, to, height, entries }: Part, validator: string): string {
  switch (kind) {
    case "unbonding":
      return `${delegator}’s part, leaving since ${count(height)}`;
    case "redelegation":
      return `${delegator}’s part, at ${to} since ${count(height)}`;
    case "departed":
      return `${plural(entries, "part")} that left since`;
    default:
      return `${validator} itself`;
  }
}

function ofWhat({ kind, stake, owed, burned }: Part): string {
  const where =
    kind === "unbonding" ? "unbonding" : kind === "validator" ? "at the validator" : "moved";
  const short = BigInt(owed) > BigInt(burned) ? `; ${amount(owed)} were owed` : "";
  return `of ${amount(stake)} ${kind === "departed" ? "" : where}`.trim() + short;
}

function sumText({ parts }: Slash): string {
  const own = parts.find(({ kind }) => kind === "validator");
  return parts.length > 1 && own
    ? `The slash event says ${amount(own.burned)}: it counts the validator’s own part only.`
    : "";
}
