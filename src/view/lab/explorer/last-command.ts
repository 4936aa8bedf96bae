/** Describes the last command of a world in a few words. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { shortened } from "../../../base/shortened.ts";
import { unreachable } from "../../../base/unreachable.ts";
import { visibleText } from "../../../base/visible-text.ts";
import type { Command, FaultCommand, NodeAction } from "../../../engine/simulation/command.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { LastCommand } from "../../../gen/lab/v1/record_plain.ts";
import { anyToSparseJson } from "../../json.ts";
import { txIn } from "../../tx/read-tx.ts";

/** The command that one undo would revert; number 0 if there is none. */
export function lastCommandOf({ lastIssued, journalLength }: Simulation): LastCommand {
  if (lastIssued === undefined) {
    return { number: 0, height: 0, title: "", signer: "", together: 0 };
  }
  const { command, height, count } = lastIssued;
  const signer = command.type === "tx" ? command.signer : "";
  return { number: journalLength, height, title: commandTitle(command), signer, together: count };
}

/** Title of a command in lists. */
export function commandTitle(command: Command): string {
  switch (command.type) {
    case "tx":
      return messagesTitle(command.messages);
    case "signed_tx":
      return messagesTitle(txIn(command.bytes).body?.messages ?? []);
    case "misbehavior":
      return `misbehavior of ${command.validator} at ${command.height}`;
    case "double_sign":
      return `double sign of ${command.node}`;
    case "light_client_attack":
      return `light client attack by ${command.by.join(", ")}`;
    case "node":
      return `${command.node}: ${actionTitle(command.action)}`;
    case "partition":
      return command.groups.length === 0 ? "heal the network" : "partition the network";
    case "heal":
      return "heal the network";
    case "fault":
      return faultTitle(command);
    case "chaos":
      return "chaos";
    case "clear_faults":
      return `clear the faults${command.node === undefined ? "" : ` of ${command.node}`}`;
    case "release":
      return `release of ${command.name}`;
    case "binary":
      return `binary ${command.binary.name}`;
    case "tamper":
      return `a byte of ${command.store} changed by hand`;
    default:
      return unreachable(command);
  }
}

const faultTitle = (fault: FaultCommand): string =>
  fault.kind === "partition" ? "fault: partition" : `fault: ${fault.node} ${words(fault.kind)}`;

function actionTitle(action: NodeAction): string {
  switch (action.kind) {
    case "install":
    case "stage":
      return `${action.kind} ${action.binary}`;
    default:
      return words(action.kind);
  }
}

/** The messages of a transaction: each kind once, and the title of a proposal. */
function messagesTitle(messages: readonly Any[]): string {
  const titles = new Set(messages.map(messageTitle));
  return titles.size === 0 ? "transaction without messages" : [...titles].join(", ");
}

function messageTitle(message: Any): string {
  const name = message.typeUrl.replace(/^.*\./, "").replace(/^Msg/, "");
  const kind = words(name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase());
  const title = proposedTitle(message);
  return title === "" ? kind : `${kind} “${title}”`;
}

/** Maximum characters of a quoted title. */
const MOST = 60;

function proposedTitle(message: Any): string {
  if (!message.typeUrl.endsWith(".MsgSubmitProposal")) return "";
  const { title } = Object(anyToSparseJson(message)) as { readonly title?: unknown };
  if (typeof title !== "string") return "";
  return shortened(visibleText(title), MOST);
}

const words = (text: string): string => text.replaceAll("_", " ");
