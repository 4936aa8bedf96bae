/** Runs the program once for each of some command lines, all in this process; prints with which status and words each ended. */
const [, , lines = "[]"] = process.argv;
const ended: unknown[] = [];
for (const [index, line] of (JSON.parse(lines) as readonly string[][]).entries()) {
  const said: unknown[] = [];
  console.error = (text) => void said.push(text);
  process.argv = [process.execPath, "main.ts", ...line];
  process.exitCode = 0;
  // Under another address it is evaluated anew.
  const { href } = new URL(`./main.ts?line=${index}`, import.meta.url);
  await import(href);
  ended.push([process.exitCode, said.join("\n")]);
}
console.log(JSON.stringify(ended));
