import "./styles/tokens.css";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { preloadWhenIdle } from "./preload.ts";
import { connectActions } from "./store/actions.ts";
import { startFrameLoop } from "./store/frame-loop.ts";
import { listenForKeys } from "./store/keys.ts";
import { startEngine } from "./store/worker.ts";

const client = startEngine();
connectActions(client);
startFrameLoop(client);
listenForKeys();

createRoot(document.getElementById("root") as HTMLElement).render(<App />);
preloadWhenIdle();
