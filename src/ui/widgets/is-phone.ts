/** Whether the page is as narrow as a phone's: what is selected then lies over its lower half, as the style sheets say. */
export const isPhone = (): boolean => matchMedia("(max-width: 760px)").matches;
