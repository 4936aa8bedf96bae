import { Fragment, useDeferredValue, useMemo, useState } from "react";
import { count, plural } from "../../widgets/format.ts";
import css from "./ApiPanel.module.css";
import { EndpointForm } from "./EndpointForm.tsx";
import { found, LISTED, type Listed } from "./endpoints.ts";
import { MessageForm } from "./MessageForm.tsx";

/** A camel-case name that wraps only between its words. */
const Breakable = ({ name }: { name: string }) =>
  name.split(/(?<=[a-z])(?=[A-Z])/).map((word) => (
    <Fragment key={word}>
      {word}
      <wbr />
    </Fragment>
  ));

/** All queries of the chain, each with its parameters, its answer and the same call elsewhere. */
export default function ApiPanel() {
  const [query, setQuery] = useState("");
  const [chosen, choose] = useState<Listed>();
  const searched = useDeferredValue(query);
  const groups = useMemo(() => found(searched), [searched]);
  const leave = (): void => choose(undefined);
  const shown = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
  return (
    <div className={css.panel} data-chosen={chosen && ""}>
      <div className={css.list}>
        <search aria-label="Endpoints" className={css.search}>
          <input
            type="search"
            aria-label="Search endpoints"
            placeholder={`Search ${count(LISTED.length)} endpoints`}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          <span className="hidden" role="status">
            {plural(shown, "endpoint")} found
          </span>
        </search>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className={css.groups} tabIndex={0} aria-label="List of endpoints">
          {shown === 0 && <p className="soft">No endpoint has that.</p>}
          {[...groups].map(([group, endpoints]) => (
            <section key={group} aria-label={group}>
              <h3>{group}</h3>
              <ul>
                {endpoints.map((one) => (
                  <li key={one.call.name}>
                    <button
                      type="button"
                      data-plain=""
                      aria-label={one.title}
                      aria-pressed={one === chosen}
                      title={one.brief || undefined}
                      onClick={() => choose(one)}
                    >
                      <Breakable name={one.title} />
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </section>
      </div>
      {chosen === undefined ? (
        <p className={css.hint}>
          Choose an endpoint: it is filled with values of this chain and asked here, as REST, gRPC
          and the command line of a node answer it. Or choose a message: it is sent as a transaction
          of one of the chain's accounts.
        </p>
      ) : "verb" in chosen.call ? (
        <EndpointForm
          key={chosen.call.name}
          endpoint={chosen.call}
          listed={chosen}
          onLeave={leave}
        />
      ) : (
        <MessageForm
          key={chosen.call.name}
          message={chosen.call}
          title={chosen.title}
          onLeave={leave}
        />
      )}
    </div>
  );
}
