import { useState } from "react";
import { errorText } from "../../base/error-text.ts";

/** Runs one action at a time; `problem` is the reason why the last one failed. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem("");
    try {
      await act();
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  };
  return { busy, problem, attempt };
}
