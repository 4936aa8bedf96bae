/** The page's icons, 16 × 16, in the colour of the surrounding text. */
const LINES = {
  play: "M5 3.2 12.5 8 5 12.8z",
  pause: "M5.2 3.5v9M10.8 3.5v9",
  step: "M4 3.2 10 8l-6 4.8zM12.5 3.5v9",
  leap: "M2.5 3.8 7.5 8l-5 4.2zM7.5 3.8l5 4.2-5 4.2zM14 4v8",
  target: "M2 8h7.5M6.5 4.8 9.8 8l-3.3 3.2M13 3v10",
  close: "m4 4 8 8M12 4l-8 8",
  check: "m3.2 8.4 3.2 3.2 6.4-7",
  cross: "m4.5 4.5 7 7M11.5 4.5l-7 7",
  minus: "M3.5 8h9",
  info: "M7.6 8h.8",
  details: "M3 3.2h10v9.6H3zM9 3.2v9.6",
  stop: "M4.2 4.2h7.6v7.6H4.2z",
  twice: "M3 6.5c2-3 4-3 6 0M7 10.5c2-3 4-3 6 0M3 12.5h10",
  rise: "M8 13V4M4.2 7.4 8 3.6l3.8 3.8",
  book: "M3 3.2h4.2c.6 0 .8.4.8.8v9c0-.6-.5-1-1-1H3zM13 3.2H8.8c-.6 0-.8.4-.8.8v9c0-.6.5-1 1-1h4z",
  down: "m4 6 4 4 4-4",
  up: "m4 10 4-4 4 4",
  disc: "",
  square: "",
  ring: "M12.2 8a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0z",
  half: "M12.2 8a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0z",
  lock: "M4.5 7.4h7v5.4h-7zM6 7.2V5.4a2 2 0 0 1 4 0v1.8",
  stone: "M4.5 13V6.6a3.5 3.5 0 0 1 7 0V13zM3 13h10M8 6.2v3.4M6.6 7.4h2.8",
} as const;

const SOLID: Partial<Record<IconName, string>> = {
  play: LINES.play,
  step: "M4 3.2 10 8l-6 4.8z",
  leap: "M2.5 3.8 7.5 8l-5 4.2zM7.5 3.8l5 4.2-5 4.2z",
  disc: "M12.2 8a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0z",
  square: "M4.2 4.2h7.6v7.6H4.2z",
  half: "M8 3.8a4.2 4.2 0 0 1 0 8.4z",
};

export type IconName = keyof typeof LINES;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SOLID[name] && <path d={SOLID[name]} fill="currentColor" stroke="none" />}
      {LINES[name] && <path d={LINES[name]} />}
    </svg>
  );
}
