import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal as Screen } from "@xterm/xterm";
import screenStyles from "@xterm/xterm/css/xterm.css?inline";
import { useEffect, useRef } from "react";
import { type Page, usePage } from "../../store/page.ts";
import { tokenValue } from "../../widgets/token-value.ts";
import { useColors } from "../../widgets/use-colors.ts";
import { shellLine } from "../api/calls.ts";
import { surroundings } from "./here.ts";
import { Session } from "./session.ts";
import css from "./Terminal.module.css";

/** A screen with its session, which persists while the drawer shows another tab. */
interface OpenTerminal {
  readonly host: HTMLElement;
  readonly screen: Screen;
  readonly fit: FitAddon;
  readonly session: Session;
}

const terminals = new WeakMap<Page, OpenTerminal>();

/** Keys for touch devices. */
const KEYS = [
  ["Tab", "\t", "Complete"],
  ["↑", "\x1b[A", "The line before"],
  ["↓", "\x1b[B", "The line after"],
  ["Ctrl C", "\x03", "Interrupt"],
] as const;

/** A shell's command line, connected to the page's chain. */
export default function Terminal() {
  const page = usePage();
  const place = useRef<HTMLDivElement>(null);
  const colors = useColors();
  useEffect(() => {
    const at = place.current;
    if (at === null) return;
    const { host, screen, fit, session } = terminals.get(page) ?? open(page);
    at.append(host);
    if (screen.element === undefined) screen.open(host);
    const resize = (): void => {
      fit.fit();
      session.redraw();
    };
    const observer = new ResizeObserver(resize);
    observer.observe(at);
    screen.focus();
    return () => {
      observer.disconnect();
      host.remove();
    };
  }, [page]);
  useEffect(() => {
    const { screen, fit } = terminals.get(page) ?? {};
    if (screen === undefined) return;
    screen.options.theme = themeOf(colors);
    screen.options.fontSize = Number.parseFloat(tokenValue("text-medium"));
    fit?.fit();
  }, [page, colors]);
  const press = (data: string): void => {
    const { session, screen } = terminals.get(page) ?? {};
    session?.feed(data);
    screen?.focus();
  };
  return (
    <div className={css.terminal}>
      <style>{screenStyles}</style>
      <div ref={place} className={css.screen} />
      <fieldset className={css.keys} aria-label="Keys of the terminal">
        {KEYS.map(([name, data, does]) => (
          <button key={name} type="button" aria-label={does} onClick={() => press(data)}>
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function open(page: Page): OpenTerminal {
  const { client, frames } = page;
  const screen = new Screen({
    convertEol: true,
    cursorBlink: false,
    fontFamily: tokenValue("mono"),
    screenReaderMode: true,
    scrollback: 5_000,
  });
  const fit = new FitAddon();
  screen.loadAddon(fit);
  const display = {
    get columns() {
      return screen.cols;
    },
    write: (text: string) => screen.write(text),
    // Cleared after earlier output, including lines that were scrolled away.
    clear: () => screen.write("\x1b[2J\x1b[3J\x1b[H"),
  };
  const files = new Map<string, File>();
  const session = new Session(
    display,
    surroundings(client, () => frames.getState().frame, files),
  );
  screen.onData((data) => session.feed(data));
  screen.attachCustomKeyEventHandler((event) => isForScreen(event, screen));
  const host = document.createElement("div");
  host.className = css.host ?? "";
  host.addEventListener("dragover", (event) => event.preventDefault());
  host.addEventListener("drop", (event) => {
    event.preventDefault();
    // Elsewhere on the page it would be opened.
    event.stopPropagation();
    for (const file of event.dataTransfer?.files ?? []) {
      files.set(file.name, file);
      session.feed(`${shellLine([file.name])} `);
    }
    screen.focus();
  });
  const made = { host, screen, fit, session };
  terminals.set(page, made);
  return made;
}

/** True if the terminal handles a key; the browser and the page handle the others. */
function isForScreen(event: KeyboardEvent, screen: Screen): boolean {
  const { key, type, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (key === "Escape") {
    // The way out: to the button that opened it.
    if (type === "keydown") document.querySelector<HTMLElement>("[data-tab=terminal]")?.focus();
    return false;
  }
  if (key === "Tab" && shiftKey) return false;
  // With a selection, Ctrl+C copies; without one it interrupts.
  if (isCommand && key.toLowerCase() === "c")
    return !screen.hasSelection() && !shiftKey && event.ctrlKey;
  if (isCommand && key.toLowerCase() === "v") return false;
  return true;
}

function themeOf(color: (token: string) => string): ITheme {
  return {
    background: color("surface"),
    foreground: color("ink"),
    cursor: color("ink"),
    cursorAccent: color("surface"),
    selectionBackground: color("ghost"),
    red: color("bad"),
  };
}
