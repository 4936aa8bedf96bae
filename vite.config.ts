import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Lets a script that does not lie at the root serve the whole origin.
const headers = { "Service-Worker-Allowed": "/" };

/** The page and the engine worker that it starts. */
export default defineConfig({
  // An address without a file is a 404, not the page: the page routes by hash.
  appType: "mpa",
  plugins: [react()],
  worker: { format: "es" },
  server: { headers },
  preview: { headers },
  build: { target: "es2022" },
});
