/** The bundled families of scenarios. */

export interface Family {
  readonly file: string;
  readonly title: string;
  readonly about?: string;
}

/** Rejects if the list cannot be loaded. */
export async function listFamilies(): Promise<readonly Family[]> {
  const answer = await fetch("families/index.json");
  if (!answer.ok) throw new Error(`the list of families could not be read (${answer.status})`);
  return (await answer.json()) as readonly Family[];
}

/** The text of one of them. Rejects if it cannot be loaded. */
export async function familyText(file: string): Promise<string> {
  const answer = await fetch(`families/${file}`);
  if (!answer.ok) throw new Error(`${file} could not be read (${answer.status})`);
  return answer.text();
}
