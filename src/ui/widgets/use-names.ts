import { useMemo } from "react";
import { withNames } from "../../base/address-text.ts";
import { useFrameState } from "../store/page.ts";

/** Replaces the addresses in a text by names. */
export function useNames(): (text: string) => string {
  // As one text, so that a frame without new names causes no change.
  const known = useFrameState(({ frame }) =>
    [
      ...(frame?.validators ?? []).flatMap((validator) => [
        `${validator.operatorAddress} ${validator.name}`,
        `${validator.consensusAddress} ${validator.name}`,
        `${validator.accountAddress} ${validator.name}`,
      ]),
      ...(frame?.accounts ?? []).map((account) => `${account.address} ${account.name}`),
    ].join("\n"),
  );
  return useMemo(() => {
    const names = new Map(known.split("\n").map((line) => line.split(" ") as [string, string]));
    return (text) => withNames(text, names);
  }, [known]);
}
