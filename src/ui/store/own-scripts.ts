/**
 * The page's only Trusted Types policy. The security policy (src/node/server/security-headers.mjs)
 * lets a worker start only from an address that passed it.
 */

/** The used part of the platform's Trusted Types, which TypeScript's library lacks so far. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules;
}

interface Rules {
  createScriptURL(address: string): string;
}

/** The resolved address of a script below the page's folder; throws on any other. */
function ownScript(address: string): string {
  const { href } = new URL(address, document.baseURI);
  if (!href.startsWith(new URL(".", document.baseURI).href))
    throw new TypeError(`foreign: ${href}`);
  return href;
}

const rules: Rules = { createScriptURL: ownScript };
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** Creates the address of a worker or service worker; without Trusted Types, by the same rule. */
export const policy: Rules = trustedTypes?.createPolicy("chainlab", rules) ?? rules;
