import type { LogLevel, LogLine } from "../../framework/trace.ts";

/** A line that the sidecar writes into its node's log. */
export const cosmovisorLine = (
  text: string,
  fields?: Readonly<Record<string, string>>,
  level: LogLevel = "info",
): LogLine => {
  const line = { level, module: "cosmovisor", text };
  return fields === undefined ? line : { ...line, fields };
};
