/** Path of the built command: no test that names it starts it. */
export const PROGRAM = new URL("../../dist-node/main.js", import.meta.url);
