// biome-ignore lint/style/noRestrictedImports: the one place that has it
import { type ComponentType, createElement, lazy, PureComponent } from "react";
import { lastWorld } from "../store/last-world.ts";
import { laterStyles } from "../styles/later.ts";
import css from "./lazy-part.module.css";

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

export interface Closable {
  /** Removes a part that covers the page. */
  readonly onClose?: (() => void) | undefined;
}

interface Failure {
  readonly error?: Error | undefined;
}

/** Loaders of the parts that are fetched ahead of their use, in idle time. */
export const fetchedAhead: (() => Promise<unknown>)[] = [];

/** Retry functions of all parts that failed to load: when one retries, all do. */
const failed = new Set<() => void>();

/** True if the user requested a retry and the part has not been fetched since. */
let requested = false;

function tryAgain({ type }: { type: string }): void {
  requested = type === "click";
  for (const retry of [...failed]) retry();
}
addEventListener("online", tryAgain);

async function withStyles<P>(load: Load<P>): ReturnType<Load<P>> {
  const [part] = await Promise.all([load(), laterStyles()]);
  return part;
}

/**
 * A part of the page whose script is fetched when it is first rendered. If that, or the part
 * itself, fails, a message with "Try again" replaces it and the rest of the page continues; one
 * without a name leaves a gap. It does not render again with its parent: rendering all charts for
 * another address is slower than leaving them.
 * @param ahead true to fetch it in idle time, for parts that are not very large
 */
export function lazyPart<P extends object>(
  name: string,
  load: Load<P>,
  ahead = true,
): ComponentType<P & Closable> {
  if (ahead) fetchedAhead.push(load);
  const fetched: Load<P> = () =>
    withStyles(load).catch(async (cause) => {
      // Firefox never fetches a failed script again, and a host may have another version: a
      // reloaded page has all parts.
      if (requested && lastWorld())
        await fetch("", { cache: "no-store" }).then(
          () => location.reload(),
          () => {},
        );
      requested = false;
      throw new Error(`${name} could not be loaded.`, { cause });
    });
  // React caches the result of a fetch: each try needs a new component.
  let Part = lazy(fetched);
  return class extends PureComponent<P & Closable, Failure> {
    override state: Failure = {};
    static getDerivedStateFromError = (error: Error): Failure => ({ error });

    readonly #retry = (): void => {
      failed.delete(this.#retry);
      Part = lazy(fetched);
      this.setState({ error: undefined });
    };

    override componentDidCatch(): void {
      failed.add(this.#retry);
    }

    override componentWillUnmount(): void {
      failed.delete(this.#retry);
    }

    override render() {
      const { error } = this.state;
      const { onClose } = this.props;
      if (!error) return createElement(Part as unknown as ComponentType<P>, this.props);
      return (
        name && (
          <div role="alert" className={css.failed} data-over={onClose && ""}>
            <p>{error.cause ? error.message : `${name} cannot be shown: ${error.message}`}</p>
            <button type="button" onClick={tryAgain}>
              Try again
            </button>
            <button type="button" data-plain="" onClick={() => location.reload()}>
              Reload
            </button>
            {onClose && (
              <button type="button" data-plain="" onClick={onClose}>
                Close
              </button>
            )}
          </div>
        )
      );
    }
  };
}
