import "./styles/tokens.css";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { preloadWhenIdle } from "./preload.ts";
import "./store/early-keys.ts";
import { connectEngine } from "./store/engine.ts";
import { startFrameLoop } from "./store/frame-loop.ts";
import { rememberWorld } from "./store/last-world.ts";
import { createPage, PageProvider } from "./store/page.ts";

const page = createPage(connectEngine());
rememberWorld(page.frames);
startFrameLoop(page);

createRoot(document.getElementById("root") as HTMLElement).render(
  <PageProvider value={page}>
    <App />
  </PageProvider>,
);
preloadWhenIdle(page);
