import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { DEV_HEADERS, DEV_NONCE } from "./src/node/server/security-headers.mjs";
import { earlyEngine, isEarly } from "./tools/early-engine.ts";
import { embeddedPage } from "./tools/embedded-page.ts";
import { lazyCopies } from "./tools/lazy-copies.ts";
import { leanProtobuf } from "./tools/lean-protobuf.ts";
import { licenceTexts } from "./tools/licence-texts.ts";
import { offlineBuild } from "./tools/offline-build.ts";
import { pagePolicy } from "./tools/page-policy.ts";
import { pageStyles } from "./tools/page-styles.ts";
import { rulePages } from "./tools/rule-pages/plugin.ts";

/**
 * One file for all that the page, or the worker, loads as it starts: what is loaded together in any case is smaller as
 * one, and loads in one go.
 */
const groups = [
  { name: "early", test: isEarly, priority: 1 },
  { name: "start", tags: ["$initial" as const] },
];
const rolldownOptions = { output: { codeSplitting: { groups } } };

/** All that the worker loads at once, beside its own script: see there. */
const beside = (id: string): boolean => !id.endsWith("/engine.worker.ts");
const workerGroups = [{ name: "engine.start", tags: ["$initial" as const], test: beside }];
// Annotations are for bundlers that come after; the licences stand in a file of their own.
const comments = { annotation: false, legal: false };
const workerOptions = { output: { codeSplitting: { groups: workerGroups }, comments } };

const licences = licenceTexts();

/** The page and the engine worker that it starts. */
export default defineConfig(({ command }) => ({
  // An address without a file is a 404, not the page: the page routes by hash.
  appType: "mpa",
  // The build may lie in any folder of a host.
  base: command === "build" ? "./" : "/",
  plugins: [
    react({ jsxImportSource: "#page" }),
    pagePolicy(),
    licences.page,
    earlyEngine(),
    pageStyles(),
    embeddedPage(),
    rulePages(),
    offlineBuild(),
  ],
  worker: {
    format: "es",
    plugins: () => [lazyCopies(), leanProtobuf(), licences.worker],
    rolldownOptions: workerOptions,
  },
  server: { headers: DEV_HEADERS },
  // Hot reload has an inline script of its own.
  ...(command === "serve" ? { html: { cspNonce: DEV_NONCE } } : {}),
  // Every browser of that target preloads modules by itself.
  build: {
    target: "es2022",
    rolldownOptions,
    modulePreload: false,
  },
}));
