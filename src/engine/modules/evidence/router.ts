import { Panic } from "../../framework/errors.ts";
import type { Handler } from "./types.ts";

const ALPHANUMERIC = /^[a-zA-Z0-9]+$/;

/** Handlers by route, open for registration until sealed (rules/evidence 3.1). */
export class Router {
  readonly #routes = new Map<string, Handler | undefined>();
  #sealed = false;

  /**
   * A route registered without a handler counts as not registered. Panics on invalid or duplicate
   * routes; returns itself.
   */
  addRoute(path: string, handler: Handler | undefined): this {
    if (this.#sealed) {
      throw new Panic(`router sealed; cannot register ${path} route handler`);
    }
    if (!ALPHANUMERIC.test(path)) {
      throw new Panic("route expressions can only contain alphanumeric characters");
    }
    if (this.hasRoute(path)) throw new Panic(`route ${path} has already been registered`);
    this.#routes.set(path, handler);
    return this;
  }

  hasRoute(path: string): boolean {
    return this.#routes.get(path) !== undefined;
  }

  /** Panics if there is no handler. */
  getRoute(path: string): Handler {
    const handler = this.#routes.get(path);
    if (handler === undefined) throw new Panic(`route does not exist for path ${path}`);
    return handler;
  }

  seal(): void {
    if (this.#sealed) throw new Panic("router already sealed");
    this.#sealed = true;
  }

  sealed(): boolean {
    return this.#sealed;
  }
}
