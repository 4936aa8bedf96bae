import { type FormEvent, useEffect, useId, useState } from "react";
import { HEIGHT_HEADER } from "../../../base/height-header.ts";
import type { ClientError } from "../../../client/client.ts";
import type { Endpoint, EndpointField } from "../../../gen/endpoints.ts";
import { useFrameState, usePage } from "../../store/page.ts";
import { Answer, type Answered } from "./Answer.tsx";
import css from "./ApiPanel.module.css";
import { type Filled, inPath, restCall } from "./calls.ts";
import type { Listed } from "./endpoints.ts";
import { type LiveValues, liveValues } from "./live-values.ts";
import { RequestPane } from "./RequestPane.tsx";
import { SameCall } from "./SameCall.tsx";

interface EndpointFormProps {
  endpoint: Endpoint;
  listed: Listed;
  onLeave: () => void;
}

/** The parameters of an endpoint, and the values that the chain has for them. */
function useParameters(endpoint: Endpoint) {
  const { client, frames } = usePage();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [live, setLive] = useState<LiveValues>({});
  const needed = neededFields(endpoint);

  /** Refreshes the offered values from the chain, and fills required fields that are empty. */
  const refresh = async (isCurrent = () => true): Promise<void> => {
    const { frame } = frames.getState();
    if (!frame) return;
    const known = await liveValues(client, frame, endpoint);
    if (!isCurrent()) return;
    setLive(known);
    setValues((now) => ({
      ...Object.fromEntries([...needed].map((field) => [field, known[field]?.[0]?.value ?? ""])),
      ...now,
    }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the endpoint, which is the component's key
  useEffect(() => {
    let current = true;
    void refresh(() => current);
    return () => {
      current = false;
    };
  }, []);

  const set = (name: string, value: string): void =>
    setValues((now) => ({ ...now, [name]: value }));
  return { values, live, set, refresh };
}

/** One endpoint: its parameters, its answer, and the same call elsewhere. */
export function EndpointForm({ endpoint, listed, onLeave }: EndpointFormProps) {
  const { actions, client, frames } = usePage();
  const { values, live, set, refresh } = useParameters(endpoint);
  const [height, setHeight] = useState("");
  const past = useFrameState(({ at }) => String(at || ""));
  const [answered, setAnswered] = useState<Answered>();
  const [asking, setAsking] = useState(false);
  const filled: Filled = { endpoint, values, height: height || past };
  const call = restCall(filled);
  const ask = async (): Promise<void> => {
    if (!("verb" in call)) return;
    const { verb: method, path, headers, body: text = "" } = call;
    setAsking(true);
    try {
      const body = new TextEncoder().encode(text);
      const answer = await client.http({ method, path, headers, body });
      setAnswered({
        status: answer.status,
        body: String(answer.body),
        height: answer.headers[HEIGHT_HEADER],
      });
    } catch (error) {
      setAnswered({ failure: (error as ClientError).message });
    }
    setAsking(false);
    void refresh();
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void (CHANGES.test(endpoint.name) ? actions.inBranch(ask) : ask());
  };

  const field = (one: EndpointField) => (
    <Parameter
      key={one.name}
      name={one.name}
      needed={inPath(endpoint.paths[0] ?? "").includes(one.name)}
      value={values[one.name] ?? ""}
      offered={live[one.name] ?? []}
      onChange={(value) => set(one.name, value)}
      onFocus={() => void refresh()}
    />
  );
  const pages = endpoint.fields.filter(({ name }) => name.startsWith("pagination."));
  const own = endpoint.fields.filter((one) => !pages.includes(one));
  return (
    <>
      <RequestPane label="Request" title={listed.title} onLeave={onLeave}>
        {listed.brief && <p className="small soft">{listed.brief}</p>}
        <p className={css.template}>
          <code>
            {endpoint.verb} {endpoint.paths[0]}
          </code>
        </p>
        <form onSubmit={send}>
          <div className={css.fields}>
            {own.map(field)}
            <Parameter
              name="at height"
              value={height}
              offered={[{ value: String(frames.getState().frame?.chain?.height ?? 1) }]}
              placeholder={past || "newest"}
              onChange={setHeight}
            />
          </div>
          {pages.length > 0 && (
            <details className={css.pages}>
              <summary>Pages</summary>
              <div className={css.fields}>{pages.map(field)}</div>
            </details>
          )}
          <button type="submit" disabled={!("verb" in call)} aria-busy={asking}>
            Ask
          </button>
          {"verb" in call || (
            <span className="small soft"> {call.join(", ").replaceAll("_", " ")} is needed</span>
          )}
        </form>
        <SameCall filled={filled} />
      </RequestPane>
      <Answer answered={answered} />
    </>
  );
}

/**
 * The one endpoint that changes the chain: in the past it is sent to a branch. Other posted
 * requests only query.
 */
const CHANGES = /\/BroadcastTx$/;

/** Query parameters that their endpoints require. */
const ALWAYS_NEEDED = ["denom", "query"];

/** Fields that are filled initially. */
const neededFields = ({ paths, fields }: Endpoint): ReadonlySet<string> =>
  new Set([
    ...inPath(paths[0] ?? ""),
    ...ALWAYS_NEEDED.filter((name) => fields.some((field) => field.name === name)),
  ]);

interface ParameterProps {
  name: string;
  /** True for a multi-line text. */
  long?: boolean;
  needed?: boolean;
  value: string;
  offered: LiveValues[string];
  placeholder?: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
}

/** A field of the request, with suggestions from the chain; any other value can be typed. */
export function Parameter(props: ParameterProps) {
  const { name, long, needed = false, value, offered, placeholder, onChange, onFocus } = props;
  const id = useId();
  const called = offered.find((one) => one.value === value)?.label;
  return (
    <div className={css.field} data-long={long ? "" : undefined}>
      <label htmlFor={id}>
        {name.replace("pagination.", "").replaceAll("_", " ")}
        {called && <span className="soft"> {called}</span>}
      </label>
      {long && offered.length > 1 && (
        <select
          aria-label={`Values for ${name}`}
          value={called ? value : ""}
          onChange={({ target }) => onChange(target.value)}
        >
          {!called && <option value="">as written</option>}
          {offered.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
      {long ? (
        <textarea
          id={id}
          rows={Math.min(8, value.split("\n").length + 1)}
          value={value}
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
          onFocus={onFocus}
        />
      ) : (
        <input
          id={id}
          list={`${id}-live`}
          value={value}
          required={needed && value === ""}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
          onFocus={onFocus}
        />
      )}
      <datalist id={`${id}-live`}>
        {offered.map((one) => (
          <option key={one.value} value={one.value} label={one.label} />
        ))}
      </datalist>
    </div>
  );
}
