/**
 * Loads what answers calls beforehand: a tab that watches waits seconds for an answer, on a busy machine fewer than that
 * takes.
 */
import "../api/query.ts";
import "./ask.ts";
