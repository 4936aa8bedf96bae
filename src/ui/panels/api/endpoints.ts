/** What can be asked, as a person looks it up. */
import { queryCommandOf } from "../../../cli/query-line.ts";
import { ENDPOINTS, type Endpoint } from "../../../gen/endpoints.ts";
import { matches } from "../../widgets/search.ts";

export interface Listed {
  readonly endpoint: Endpoint;
  /** `AllBalances` */
  readonly title: string;
  /** `bank`, `base.tendermint`, `lab` */
  readonly group: string;
  /** What it tells; empty where nothing says so. */
  readonly brief: string;
}

export const LISTED: readonly Listed[] = ENDPOINTS.map((endpoint) => {
  const [service = "", title = ""] = endpoint.name.split("/");
  const group = service.replace(/^chain\./, "").replace(/\.v[^.]+\.\w+$/, "");
  return { endpoint, title, group, brief: queryCommandOf(endpoint.name)?.brief ?? "" };
});

/** Those that have every word of what is searched for, by group. */
export function found(query: string): ReadonlyMap<string, readonly Listed[]> {
  return Map.groupBy(
    LISTED.filter(({ endpoint, brief }) =>
      matches(`${endpoint.name} ${endpoint.verb} ${endpoint.paths.join(" ")} ${brief}`, query),
    ),
    ({ group }) => group,
  );
}
