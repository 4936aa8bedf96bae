import { type ComponentType, Suspense } from "react";
import type { DialogName } from "../store/dialog.ts";
import { useDialog } from "../store/page.ts";
import { Modal } from "../widgets/Dialog.tsx";
import { type Closable, lazyPart } from "../widgets/lazy-part.tsx";
import { useIsPainted } from "../widgets/use-is-painted.ts";

const FORMS: Readonly<Record<DialogName, ComponentType<Closable>>> = {
  "double-sign": lazyPart("The form of a double sign", () => import("./DoubleSign.tsx")),
  faults: lazyPart("The form of a fault", () => import("./FaultForm.tsx")),
  upgrade: lazyPart("The form of an upgrade", () => import("./Upgrade.tsx")),
  proposal: lazyPart("The form of a proposal", () => import("./ProposalForm.tsx")),
  "text-proposal": lazyPart("The form of a proposal", () => import("./TextProposal.tsx")),
  stake: lazyPart("The form of a stake", () => import("./StakeForm.tsx")),
  "own-chain": lazyPart("The form of a chain", () => import("./OwnChain.tsx")),
  "run-until": lazyPart("The form", () => import("./RunUntil.tsx")),
  fork: lazyPart("The form of a branch", () => import("./Fork.tsx")),
  otherwise: lazyPart("The form of a branch", () => import("./WhatIf.tsx")),
  stories: lazyPart("The stories", () => import("./Stories.tsx")),
  worlds: lazyPart("The worlds", () => import("./Worlds.tsx")),
  share: lazyPart("The ways to share", () => import("./Share.tsx")),
  shared: lazyPart("What was shared", () => import("./OpenShared.tsx")),
  palette: lazyPart("The palette", () => import("./Palette.tsx")),
  why: lazyPart("The explanation", () => import("./Why.tsx")),
  "why-both": lazyPart("The explanations", () => import("./WhyBoth.tsx")),
  help: lazyPart("The keys and terms", () => import("./Help.tsx")),
};

/**
 * The open dialog, if any. First the page behind it is dimmed, in response to the key or press; the
 * content is rendered in a separate task.
 */
export default function Dialogs({ onClose }: Closable) {
  const name = useDialog((dialog) => dialog.name);
  const dimmed = useIsPainted();
  if (!name) return null;
  const Form = FORMS[name];
  return (
    <Modal>
      <Suspense>{dimmed && <Form onClose={onClose} />}</Suspense>
    </Modal>
  );
}
