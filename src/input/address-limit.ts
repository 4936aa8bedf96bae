/** Characters of a request's path with its parameters, or of the page's address; alone, since the first screen reads it. */
export const ADDRESS_CHARACTERS = 8_192;
