import { type FormEvent, useState } from "react";
import type { Attached } from "../../../gen/lab/v1/lab_plain.ts";
import { usePage } from "../../store/page.ts";
import { plural } from "../../widgets/format.ts";
import { useAttempt } from "../../widgets/use-attempt.ts";
import css from "./band.module.css";

/**
 * Number of pages that control the chain while this one only watches, and the field for the token.
 */
export function WatchingNode({ attached }: { attached: Attached }) {
  const { steering, watching, token } = attached;
  const others = watching - 1;
  const who =
    steering === 0
      ? "No page controls this chain now."
      : `${plural(steering, "page")} ${steering === 1 ? "controls" : "control"} this chain.`;
  return (
    <section className={css.band} aria-label="Watching" data-testid="watching">
      <div className={css.say}>
        <p role="status">
          {who} You watch{others > 0 && `, with ${plural(others, "other")}`}, and change nothing.
        </p>
      </div>
      {token && <EnterToken />}
    </section>
  );
}

function EnterToken() {
  const { client } = usePage();
  const [open, setOpen] = useState(false);
  const { busy, problem, attempt } = useAttempt();
  const enter = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get("token") ?? "").trim();
    void attempt(() => client.requestControl(token));
  };
  if (!open) {
    return (
      <div className={css.actions}>
        <button type="button" onClick={() => setOpen(true)}>
          Enter a token…
        </button>
      </div>
    );
  }
  return (
    <form className={css.actions} onSubmit={enter}>
      <label>
        <span className="hidden">Token</span>
        {/* biome-ignore lint/a11y/noAutofocus: the field was just asked for */}
        <input name="token" type="password" autoComplete="off" autoFocus required />
      </label>
      <button type="submit" data-primary="" aria-busy={busy || undefined}>
        Steer
      </button>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
