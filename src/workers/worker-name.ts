/** Name of a worker that only runs cases of a search. */
export const CASES = "chainlab-cases";
