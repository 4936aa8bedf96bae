/** The families of scenarios that come with the page. */

export interface Family {
  readonly file: string;
  readonly title: string;
  readonly about?: string;
}

/** Rejects where the list cannot be read. */
export async function listFamilies(): Promise<readonly Family[]> {
  const answer = await fetch("families/index.json");
  if (!answer.ok) throw new Error(`the list of families could not be read (${answer.status})`);
  return (await answer.json()) as readonly Family[];
}

/** The text of one of them. Rejects where it cannot be read. */
export async function familyText(file: string): Promise<string> {
  const answer = await fetch(`families/${file}`);
  if (!answer.ok) throw new Error(`${file} could not be read (${answer.status})`);
  return answer.text();
}
