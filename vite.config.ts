import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Lets a script that does not lie at the root serve the whole origin.
const headers = { "Service-Worker-Allowed": "/" };

/**
 * One file for all that the page, or the worker, loads as it starts: what is loaded together in any case is smaller as
 * one, and loads in one go.
 */
const rolldownOptions = {
  output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial" as const] }] } },
};

/** The page and the engine worker that it starts. */
export default defineConfig({
  // An address without a file is a 404, not the page: the page routes by hash.
  appType: "mpa",
  plugins: [react()],
  worker: { format: "es", rolldownOptions },
  server: { headers },
  preview: { headers },
  build: { target: "es2022", rolldownOptions },
});
