/**
 * The page's one Trusted Types policy. The security policy (src/node/server/security-headers.mjs) lets a worker start only from an
 * address that went through it.
 */

/** The part of the platform's Trusted Types that is used; TypeScript's library does not know them yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules;
}

interface Rules {
  createScriptURL(address: string): string;
}

/** The address, resolved, of a script below the folder that the page lies in; throws on any other. */
function ownScript(address: string): string {
  const { href } = new URL(address, document.baseURI);
  if (!href.startsWith(new URL(".", document.baseURI).href))
    throw new TypeError(`foreign: ${href}`);
  return href;
}

const rules: Rules = { createScriptURL: ownScript };
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** Makes the address of a worker or service worker; where Trusted Types are unknown, by the same rule. */
export const policy: Rules = trustedTypes?.createPolicy("chainlab", rules) ?? rules;
