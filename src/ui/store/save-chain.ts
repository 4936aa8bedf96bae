/** Saves the played chain to files. */
import { errorText } from "../../base/error-text.ts";
import { saveFile, saveWorld } from "../widgets/save-file.ts";
import type { Page } from "./page.ts";

/** Saves the chain's state at the shown height as a genesis file. */
export async function saveGenesis({ client, actions }: Page): Promise<void> {
  try {
    const { chainId, height, file } = await client.lab.getGenesis({});
    const impossible = JSON.parse(file).lab?.impossible !== undefined;
    const name = `${chainId}-${height}${impossible ? "-impossible" : ""}.json`;
    saveFile(name, file, "application/json");
    if (impossible) actions.notify(`${name} says that a value was changed by hand.`);
  } catch (error) {
    actions.notify(errorText(error), "error");
  }
}

/** Saves the played world as a file. */
export async function saveThisWorld({ client, frames, actions }: Page): Promise<void> {
  try {
    const world = frames.getState().frame?.player?.kept?.id ?? "";
    saveWorld(await client.lab.exportWorld({ world }));
  } catch (error) {
    actions.notify(errorText(error), "error");
  }
}
