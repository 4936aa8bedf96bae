/**
 * Opens the world in a folder, prints the heights of the faults that it knows, then plans one fault after another
 * and prints each when the session says that it is on disk; runs until it is killed.
 * Arguments: the folder, and the height of the first fault to plan.
 */
import { worldSpec } from "../engine/world.ts";
import { openFolder, turn } from "./headless.ts";

const [folder = "", first = ""] = process.argv.slice(2);
const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

const { session, saving, save } = await openFolder(folder, worldSpec(4));
print({ known: session.sim.faults().faults.map(({ from }) => from) });
session.control({ case: "play", value: true });
for (let from = Number(first); ; from++) {
  const step = JSON.stringify({ fault: { node: "val-3", kind: "mute", at: from } });
  let done = false;
  const acted = session.runStep(step).then(async ({ ok, message }) => {
    if (!ok) throw new Error(message);
    await saving.settled();
    done = true;
  });
  while (!done) await Promise.race([acted, turn(session)]);
  print({ done: from });
  await save();
}
