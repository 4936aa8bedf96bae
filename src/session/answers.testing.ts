/**
 * Preloads the modules that answer calls: a tab that watches another waits only seconds for an
 * answer, and on a busy machine the import takes longer.
 */
import "../view/query.ts";
import "./query.ts";
