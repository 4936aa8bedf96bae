/** True if the page is as narrow as a phone: the inspector then covers its lower half. */
export const isPhone = (): boolean => matchMedia("(max-width: 760px)").matches;
