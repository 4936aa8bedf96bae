import { useCopy } from "../../widgets/use-copy.ts";
import css from "./ApiPanel.module.css";
import {
  commandText,
  curlText,
  DEFAULT_ENDPOINTS,
  type Endpoints,
  type Filled,
  fetchText,
  grpcurlText,
  restCall,
} from "./calls.ts";

/** The same request in other programs, each copyable. */
export function SameCall({ filled }: { filled: Filled }) {
  const copy = useCopy();
  const call = restCall(filled);
  if (!("verb" in call)) return null;
  const lines = [
    ["curl", curlText(call, ENDPOINTS)],
    ["grpcurl", grpcurlText(filled, ENDPOINTS)],
    ["chainlab", commandText(filled, ENDPOINTS)],
    ["fetch", fetchText(call)],
  ] as const;
  return (
    <section className={css.same} aria-label="The same call">
      <h4>The same call</h4>
      {!NODE && (
        <p className="small soft">
          fetch, in this page's console, asks this tab. The others ask a node: save this chain as a
          genesis file and run chainlab start --genesis FILE.
        </p>
      )}
      <p className="small soft">
        Pages of other sites, such as a wallet's, may ask a node that is started with their origin:
        chainlab start --cors https://wallet.example
      </p>
      <dl>
        {lines.map(([program, text]) => (
          <div key={program}>
            <dt>{program}</dt>
            <dd>
              {text === undefined ? (
                <span className="small soft">No command sends this query.</span>
              ) : (
                <>
                  <code>{text}</code>
                  <button
                    type="button"
                    data-plain=""
                    aria-label={`Copy for ${program}`}
                    onClick={() => copy(text, program)}
                  >
                    Copy
                  </button>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Addresses set by the node that serves this page; absent if the page runs its own chain. */
const { node: NODE, grpc, rpc } = document.documentElement.dataset;

const ENDPOINTS: Endpoints = NODE
  ? {
      rest: location.origin,
      grpc: reached(grpc ?? DEFAULT_ENDPOINTS.grpc),
      rpc: reached(rpc ?? DEFAULT_ENDPOINTS.rpc),
    }
  : DEFAULT_ENDPOINTS;

/** A wildcard listen address, replaced by the host name of this page. */
function reached(address: string): string {
  return address.replace(/^(0\.0\.0\.0|\[::\])(?=:)/, location.hostname);
}
