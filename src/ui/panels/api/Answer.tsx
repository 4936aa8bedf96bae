import { useMemo } from "react";
import { count } from "../../widgets/format.ts";
import { useCopy } from "../../widgets/use-copy.ts";
import css from "./ApiPanel.module.css";

/** The response of a call, or the reason why there is none. */
export type Answered =
  | { readonly status: number; readonly body: string; readonly height: string | undefined }
  | { readonly failure: string };

const WORDS: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  413: "Payload Too Large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
};

/** Maximum characters shown; copying includes all. */
const SHOWN = 100_000;

/** The answer to a request, shown and copyable. */
export function Answer({ answered }: { answered: Answered | undefined }) {
  const copy = useCopy();
  const text = useMemo(
    () => (answered && "body" in answered ? pretty(answered.body) : ""),
    [answered],
  );
  return (
    <section className={css.answer} aria-label="Answer">
      <div className={css.status} role="status">
        {answered &&
          ("failure" in answered ? (
            <b data-bad="">{answered.failure}</b>
          ) : (
            <>
              <b data-bad={answered.status === 200 ? undefined : ""}>
                {answered.status} {WORDS[answered.status]}
              </b>
              {answered.height && (
                <span className="soft">block {count(Number(answered.height))}</span>
              )}
            </>
          ))}
      </div>
      {text && (
        <button type="button" onClick={() => copy(text, "the answer")}>
          Copy the answer
        </button>
      )}
      {answered ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre className={css.body} tabIndex={0}>
          {text.slice(0, SHOWN)}
          {text.length > SHOWN && `\n… ${count(text.length - SHOWN)} more characters`}
        </pre>
      ) : (
        <p className="small soft">The answer appears here.</p>
      )}
    </section>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
