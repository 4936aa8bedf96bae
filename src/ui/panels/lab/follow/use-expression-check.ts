import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../../base/error-text.ts";
import { usePage } from "../../../store/page.ts";
import type { ExpressionCheck } from "../../../store/types.ts";
import type { RunFile } from "./follow.ts";

interface Checked {
  readonly check: ExpressionCheck | undefined;
  /** Reason why the check failed; empty if it succeeded. */
  readonly refusal: string;
  /** True if the check belongs to the current text. */
  readonly current: boolean;
}

/** Checks expressions against a file as they are typed: one request at a time, the newest next. */
export function useExpressionCheck(of: RunFile, expressions: readonly string[]): Checked {
  const { client } = usePage();
  const [found, setFound] = useState({
    about: "",
    check: undefined as ExpressionCheck | undefined,
    refusal: "",
  });
  const about = JSON.stringify([of.text, expressions]);
  const wanted = useRef({ about, of, expressions });
  wanted.current = { about, of, expressions };
  const asking = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked
  useEffect(() => {
    const ask = async (): Promise<void> => {
      if (asking.current) return;
      asking.current = true;
      const now = wanted.current;
      const answer = await client.lab
        .checkExpressions({ file: now.of, expressions: [...now.expressions] })
        .catch(errorText);
      if (typeof answer === "string")
        setFound({ about: now.about, check: undefined, refusal: answer });
      else setFound({ about: now.about, check: answer, refusal: "" });
      asking.current = false;
      if (wanted.current.about !== now.about) await ask();
    };
    void ask();
  }, [about, client]);
  return { check: found.check, refusal: found.refusal, current: found.about === about };
}
