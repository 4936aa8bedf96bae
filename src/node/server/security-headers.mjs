/**
 * The security policy of the page: what every answer of `npm start` says, and the part of it that the page can state of
 * itself, which the build writes into index.html for hosts that send no headers of ours.
 */

/** @typedef {Readonly<Record<string, readonly string[]>>} Directives */

/**
 * The page's sources: its own files, and WebAssembly, which hashes and signs.
 * @type {Directives}
 */
const CONTENT_SECURITY_POLICY = {
  // For what has no directive of its own, which is what a browser fetches ahead; nothing else is left of it.
  "default-src": ["'self'"],
  "font-src": ["'none'"],
  "frame-src": ["'none'"],
  "media-src": ["'none'"],
  "object-src": ["'none'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  // React and the charts set style attributes.
  "style-src": ["'self'", "'unsafe-inline'"],
  // A chart that is saved as a picture is drawn by way of a blob.
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

/** Headers of every answer of the production server but one. */
export const SECURITY_HEADERS = headers(CONTENT_SECURITY_POLICY);

/** The page that other origins may show in a frame: it opens none of this browser's worlds. */
export const EMBEDDED_PAGE = "embed.html";

/** Headers of that page. */
export const EMBEDDED_HEADERS = {
  ...headers({ ...CONTENT_SECURITY_POLICY, "frame-ancestors": ["*"] }),
  // A page that keeps to such a policy itself may show it too.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** The nonce of the one inline script that hot reload puts into the page, and that no build contains. */
export const DEV_NONCE = "hot-reload";

/** Headers of the development server: as above, and its own inline script may run. */
export const DEV_HEADERS = headers({
  ...CONTENT_SECURITY_POLICY,
  "script-src": [...(CONTENT_SECURITY_POLICY["script-src"] ?? []), `'nonce-${DEV_NONCE}'`],
});

/** The policy as the page states it of itself. */
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
