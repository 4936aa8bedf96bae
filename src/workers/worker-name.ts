/** The name that has a worker run cases of a search, and nothing else. */
export const CASES = "chainlab-cases";
