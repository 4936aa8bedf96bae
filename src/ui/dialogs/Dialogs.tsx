import { type ComponentType, lazy, Suspense } from "react";
import type { DialogName } from "../store/dialog.ts";
import { useDialog } from "../store/page.ts";

const FORMS: Readonly<Record<DialogName, ComponentType>> = {
  "double-sign": lazy(() => import("./DoubleSign.tsx")),
  faults: lazy(() => import("./FaultForm.tsx")),
  upgrade: lazy(() => import("./Upgrade.tsx")),
  proposal: lazy(() => import("./ProposalForm.tsx")),
  "text-proposal": lazy(() => import("./TextProposal.tsx")),
  stake: lazy(() => import("./StakeForm.tsx")),
  "run-until": lazy(() => import("./RunUntil.tsx")),
  stories: lazy(() => import("./Stories.tsx")),
  worlds: lazy(() => import("./Worlds.tsx")),
  help: lazy(() => import("./Help.tsx")),
};

/** The one dialog that is open, if any. */
export default function Dialogs() {
  const name = useDialog((dialog) => dialog.name);
  if (!name) return null;
  const Form = FORMS[name];
  return (
    <Suspense>
      <Form />
    </Suspense>
  );
}
