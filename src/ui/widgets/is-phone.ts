/** True on a phone-wide page, as in the style sheets: the inspector covers its lower half. */
export const isPhone = (): boolean => matchMedia("(max-width: 760px)").matches;
