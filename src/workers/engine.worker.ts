/**
 * The worker's script, which only starts another one that deferred parts can import from. When
 * something imports from a worker's own script, WebKit runs that script a second time, with a world
 * of its own.
 */
import { begin } from "./engine.ts";

begin();
