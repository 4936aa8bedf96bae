import { duration } from "./format.ts";

const VOTES = ["", "yes", "abstain", "no", "no with veto"];

/** The chain's words as a person writes them: votes by name, decimals and durations cut short. */
export const readable = (text: string): string =>
  text
    .replace(/\[\{"option":[^\]]*\]/g, votes)
    .replace(/\b([0-9]+)\.([0-9]{18})\b/g, (_, whole, decimals) =>
      `${whole}.${decimals}`.replace(/\.?0+$/, ""),
    )
    .replace(/(?<![\w.-])(?:([0-9]+)h)?(?:([0-9]+)m)?([0-9]+)s\b/g, (_, h = 0, m = 0, s = 0) =>
      duration(Number(h) * 3600 + Number(m) * 60 + Number(s)),
    );

/** `[{"option":1,"weight":"1.000000000000000000"}]` as `yes`; shares only where there are several. */
function votes(json: string): string {
  try {
    const options = JSON.parse(json) as { option: number; weight: string }[];
    const named = options.map(({ option, weight }) => {
      const name = VOTES[option] ?? String(option);
      return options.length > 1 ? `${weight} ${name}` : name;
    });
    return named.join(" + ");
  } catch {
    return json;
  }
}
