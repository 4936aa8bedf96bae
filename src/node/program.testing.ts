/** Path of the built command: tests that name it do not run it. */
export const PROGRAM = new URL("../../dist-node/main.js", import.meta.url);
