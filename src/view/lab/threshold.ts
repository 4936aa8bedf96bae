/** The phrase for the power that a block needs, shared with the page. */
export const threshold = (needed: number, total: number): string =>
  `more than 2/3: ${needed} of ${total}`;
