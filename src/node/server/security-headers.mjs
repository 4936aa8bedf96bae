/**
 * The security policy of the page: the headers of `npm start`, and the part that works in the page
 * itself, which the build writes into index.html for hosts without our headers.
 */

/** @typedef {Readonly<Record<string, readonly string[]>>} Directives */

/**
 * The page's sources: its own files, and WebAssembly for hashing and signing.
 * @type {Directives}
 */
const CONTENT_SECURITY_POLICY = {
  // For fetches without a directive of their own, which are prefetches.
  "default-src": ["'self'"],
  "font-src": ["'none'"],
  "frame-src": ["'none'"],
  "media-src": ["'none'"],
  "object-src": ["'none'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  // React and the charts set style attributes.
  "style-src": ["'self'", "'unsafe-inline'"],
  // A chart is saved as a picture through a blob.
  "img-src": ["'self'", "blob:"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
  "require-trusted-types-for": ["'script'"],
  // src/ui/store/own-scripts.ts makes it.
  "trusted-types": ["chainlab"],
};

/** Directives that browsers ignore in a page's own `<meta>`. */
const HEADER_ONLY = ["frame-ancestors"];

/** Features that the page does not use, denied so that no script in it can. */
const DENIED_FEATURES = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "display-capture",
  "encrypted-media",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "otp-credentials",
  "payment",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "window-management",
  "xr-spatial-tracking",
];

/** Headers of every answer of the production server except one. */
export const SECURITY_HEADERS = headers(CONTENT_SECURITY_POLICY);

/** The page that other origins may show in a frame: it opens none of this browser's worlds. */
export const EMBEDDED_PAGE = "embed.html";

/** Headers of that page. */
export const EMBEDDED_HEADERS = {
  ...headers({ ...CONTENT_SECURITY_POLICY, "frame-ancestors": ["*"] }),
  // Pages with such a policy may show it too.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** The nonce of the one inline script that hot reload adds to the page; no build contains it. */
export const DEV_NONCE = "hot-reload";

/** Headers of the development server: as above, plus its own inline script. */
export const DEV_HEADERS = headers({
  ...CONTENT_SECURITY_POLICY,
  "script-src": [...(CONTENT_SECURITY_POLICY["script-src"] ?? []), `'nonce-${DEV_NONCE}'`],
});

/** The policy for the page's own `<meta>` element. */
export const META_POLICY = text(
  Object.fromEntries(
    Object.entries(CONTENT_SECURITY_POLICY).filter(([name]) => !HEADER_ONLY.includes(name)),
  ),
);

/**
 * @param {Directives} directives
 * @returns {Record<string, string>}
 */
function headers(directives) {
  return {
    "Content-Security-Policy": text(directives),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": DENIED_FEATURES.map((name) => `${name}=()`).join(", "),
  };
}

/** @param {Directives} directives */
function text(directives) {
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(" "))
    .join("; ");
}
