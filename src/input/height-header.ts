/** The header that names the height which is asked about, and that an answer is of. */
export const HEIGHT_HEADER = "x-cosmos-block-height";
