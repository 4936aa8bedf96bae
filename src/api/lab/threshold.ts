/** The one phrase for what a block needs, as the page has it. */
export const threshold = (needed: number, total: number): string =>
  `more than 2/3: ${needed} of ${total}`;
