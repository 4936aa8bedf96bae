import "./styles/tokens.css";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { preloadWhenIdle } from "./preload.ts";
import { startFrameLoop } from "./store/frame-loop.ts";
import { listenForKeys } from "./store/keys.ts";
import { lastWorld, rememberWorld } from "./store/last-world.ts";
import { createPage, PageProvider } from "./store/page.ts";
import { startEngine } from "./store/worker.ts";

const page = createPage(startEngine(lastWorld()));
rememberWorld(page.frames);
startFrameLoop(page);
listenForKeys(page);

createRoot(document.getElementById("root") as HTMLElement).render(
  <PageProvider value={page}>
    <App />
  </PageProvider>,
);
preloadWhenIdle(page);
