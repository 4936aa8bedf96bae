/**
 * Parses amounts and votes on command lines. Each reader throws an Error with the expected format.
 */

interface Coin {
  readonly denom: string;
  readonly amount: string;
}

const COIN = /^(\d{1,78})([a-zA-Z][a-zA-Z0-9/:._-]{1,127})$/;

/** `100stake`. */
export function readCoin(text: string): Coin {
  const [, amount, denom] = COIN.exec(text.trim()) ?? [];
  if (amount !== undefined && denom !== undefined) {
    return { denom, amount: amount.replace(/^0+(?=\d)/, "") };
  }
  throw new Error(`expected coins such as 100stake, found "${text}"`);
}

/** `5atom,100stake`, ordered by denom; none for an empty text. */
export function readCoins(text: string): readonly Coin[] {
  const coins = text === "" ? [] : text.split(",").map(readCoin);
  const sorted = [...coins].sort((a, b) => (a.denom < b.denom ? -1 : 1));
  const twice = sorted.find(({ denom }, i) => denom === sorted[i - 1]?.denom);
  if (twice === undefined) return sorted;
  throw new Error(`expected each denom once, found ${twice.denom} twice in "${text}"`);
}

const OPTIONS: Readonly<Record<string, string>> = {
  yes: "VOTE_OPTION_YES",
  no: "VOTE_OPTION_NO",
  abstain: "VOTE_OPTION_ABSTAIN",
  no_with_veto: "VOTE_OPTION_NO_WITH_VETO",
  nowithveto: "VOTE_OPTION_NO_WITH_VETO",
};

/** `yes`, `no`, `abstain`, `no_with_veto`, or the option's own name. */
export function readOption(text: string): string {
  const [known] = [OPTIONS[text.toLowerCase()]].filter((option) => option !== undefined);
  if (known !== undefined) return known;
  if (Object.values(OPTIONS).includes(text)) return text;
  throw new Error(`expected yes, no, no_with_veto or abstain, found "${text}"`);
}

/** `yes=0.6,no=0.4`. */
export const readWeights = (text: string) =>
  text.split(",").map((part) => {
    const [option = "", weight = "1"] = part.split("=");
    return { option: readOption(option), weight };
  });
