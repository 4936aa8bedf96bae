/** The other side of a comparison with the world on screen. */
import { errorText } from "../../../base/error-text.ts";

/** A side in call format, without its height. */
export interface Other {
  readonly world: string;
  readonly scenario?: { readonly text: string; readonly file: string };
}

/** Scenario files opened here, which do not fit into an address. */
const files = new Map<string, string>();

export const WORLD = "world:";
export const STORY = "story:";
export const FILE = "file:";
/** Another height of the world on screen. */
export const SAME_WORLD = "height";

/** Stores a file as one side; returns its name for the address. */
export function storeFile(name: string, text: string): string {
  files.set(name, text);
  return `${FILE}${name}`;
}

/** Reads the other side. Rejects with a readable Error if it is missing. */
export async function otherOf(other: string): Promise<Other> {
  if (other === SAME_WORLD) return { world: "" };
  if (other.startsWith(WORLD)) return { world: other.slice(WORLD.length) };
  const isStory = other.startsWith(STORY);
  const file = other.slice(isStory ? STORY.length : FILE.length);
  if (isStory && /^[\w.-]+$/.test(file)) return { world: "", scenario: await story(file) };
  const text = files.get(file);
  if (other.startsWith(FILE) && text !== undefined) return { world: "", scenario: { text, file } };
  if (other.startsWith(FILE))
    throw new Error(`Open ${file} again: an address does not contain the file.`);
  throw new Error(`The address names something to compare with that there is not: ${other}`);
}

async function story(file: string): Promise<{ text: string; file: string }> {
  try {
    const answer = await fetch(`scenarios/${file}`);
    if (!answer.ok) throw new Error(`there is no story ${file}`);
    return { text: await answer.text(), file };
  } catch (error) {
    throw new Error(`The story cannot be read: ${errorText(error)}`, { cause: error });
  }
}
