/** Default address prefix. */
export const USUAL_PREFIX = "chain";
