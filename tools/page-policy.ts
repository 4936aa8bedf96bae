/** Writes the security policy into the built page, ahead of everything that it governs. */
import type { HtmlTagDescriptor, Plugin } from "vite";
import { META_POLICY, SECURITY_HEADERS } from "../src/node/server/security-headers.mjs";

export function pagePolicy(): Plugin {
  const meta = (attrs: Record<string, string>): HtmlTagDescriptor => {
    return { tag: "meta", attrs, injectTo: "head-prepend" };
  };
  const referrer = SECURITY_HEADERS["Referrer-Policy"] ?? "";
  return {
    name: "chainlab:page-policy",
    apply: "build",
    transformIndexHtml: () => [
      meta({ "http-equiv": "Content-Security-Policy", content: META_POLICY }),
      meta({ name: "referrer", content: referrer }),
    ],
  };
}
