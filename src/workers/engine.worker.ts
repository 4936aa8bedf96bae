/**
 * The worker's script: all that it does is in another, which parts that are loaded later import from. WebKit runs a
 * worker's own script a second time, with a world of its own, when something imports from it.
 */
import { begin } from "./engine.ts";

begin();
