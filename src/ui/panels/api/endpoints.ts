/** Catalogue of endpoints and messages, searchable by name. */
import { queryCommandOf } from "../../../cli/query-line.ts";
import { ENDPOINTS, type Endpoint, MESSAGES, type MessageType } from "../../../gen/endpoints.ts";
import { matches } from "../../widgets/search.ts";

export interface Listed {
  /** The endpoint of the query, or the message type to send. */
  readonly call: Endpoint | MessageType;
  /** `AllBalances` */
  readonly title: string;
  /** `bank`, `base.tendermint`, `lab` */
  readonly group: string;
  /** One-line description; empty if there is none. */
  readonly brief: string;
}

/** Evidence first, as the main topic. */
const FIRST = "chain.evidence.v1beta1.MsgSubmitEvidence";

export const LISTED: readonly Listed[] = [
  ...[...MESSAGES]
    .sort((a, b) => Number(b.name === FIRST) - Number(a.name === FIRST))
    .map((call) => ({
      call,
      title: call.name.slice(call.name.lastIndexOf(".") + 1),
      group: "transactions",
      brief: "",
    })),
  ...ENDPOINTS.map((call) => {
    const [service = "", title = ""] = call.name.split("/");
    const group = service.replace(/^chain\./, "").replace(/\.v[^.]+\.\w+$/, "");
    return { call, title, group, brief: queryCommandOf(call.name)?.brief ?? "" };
  }),
];

const wordsOf = (call: Listed["call"]): string =>
  "verb" in call ? `${call.name} ${call.verb} ${call.paths.join(" ")}` : `${call.name} tx send`;

/** Entries with every word of the search, by group. */
export function found(query: string): ReadonlyMap<string, readonly Listed[]> {
  return Map.groupBy(
    LISTED.filter(({ call, brief }) => matches(`${wordsOf(call)} ${brief}`, query)),
    ({ group }) => group,
  );
}
