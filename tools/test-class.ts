/** True in `npm run soak`: full counts of properties, and the tests that are too long for each change. */
export const SOAK = process.env.CHAINLAB_SOAK === "1";
