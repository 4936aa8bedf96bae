/**
 * Maximum characters of a request's path with its parameters, or of the page's URL. In a separate
 * file, since the first screen imports it.
 */
export const ADDRESS_CHARACTERS = 8_192;
