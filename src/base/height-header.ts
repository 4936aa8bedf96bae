/** Header with the height of a query, and of its response. */
export const HEIGHT_HEADER = "x-cosmos-block-height";
