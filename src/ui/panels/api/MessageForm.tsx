import { type FormEvent, useEffect, useState } from "react";
import type { ClientError } from "../../../client/client.ts";
import type { MessageType } from "../../../gen/endpoints.ts";
import type { ScenarioStep } from "../../store/actions.ts";
import { useFrameState, usePage } from "../../store/page.ts";
import { followPreview, type StepPreview } from "../../store/preview-step.ts";
import { PausedNote, useWaitingChain } from "../../widgets/PausedNote.tsx";
import { Answer, type Answered } from "./Answer.tsx";
import css from "./ApiPanel.module.css";
import { messageOf } from "./calls.ts";
import { Parameter } from "./EndpointForm.tsx";
import { type LiveValues, liveValues } from "./live-values.ts";
import { RequestPane } from "./RequestPane.tsx";

/** Delay after the last keystroke before the message is checked, in ms. */
const SETTLE_MS = 120;

interface MessageFormProps {
  message: MessageType;
  title: string;
  onLeave: () => void;
}

/** The fields of a message, its signer, and the values that the chain has for them. */
function useMessage({ name, signer, fields }: MessageType) {
  const { client, frames } = usePage();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [from, setFrom] = useState("");
  const [live, setLive] = useState<LiveValues>({});
  const refresh = async (): Promise<LiveValues> => {
    const { frame } = frames.getState();
    const requested = { name, fields: [...fields, FROM] };
    const known = frame ? await liveValues(client, frame, requested) : {};
    setLive(known);
    return known;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the message, which is the component's key
  useEffect(() => {
    let current = true;
    void refresh().then((known) => {
      if (!current) return;
      const first = [...fields, FROM]
        .filter(({ type }) => type !== "bool")
        .map((field) => [field.name, known[field.name]?.[0]?.value ?? ""]);
      const { [FROM.name]: account = "", ...filled } = Object.fromEntries(first);
      setFrom(isAccount(signer) ? account : accountOf(filled[signer] ?? ""));
      setValues({ ...filled, ...(isAccount(signer) && { [signer]: account }) });
    });
    return () => {
      current = false;
    };
  }, []);

  const accountOf = (operator: string): string =>
    frames.getState().frame?.validators.find((one) => one.operatorAddress === operator)
      ?.accountAddress ?? "";
  const set = (field: string, value: string): void => {
    setValues((now) => ({ ...now, [field]: value }));
    const operator = field === signer ? accountOf(value) : "";
    if (operator !== "") setFrom(operator);
  };
  const sign = (account: string): void => {
    setFrom(account);
    if (isAccount(signer)) setValues((now) => ({ ...now, [signer]: account }));
  };
  return { values, from, live, refresh, set, sign };
}

/** The chain's checks of a step in JSON, again with every frame; undefined for an empty one. */
function useChecks(text: string): StepPreview | undefined {
  const { client, frames } = usePage();
  const [preview, setPreview] = useState<StepPreview>();
  useEffect(() => {
    if (text === "") return setPreview(undefined);
    const { request, stop } = followPreview({ client, frames }, () => text, setPreview);
    const timer = setTimeout(request, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, frames, text]);
  return preview;
}

/**
 * One message as a transaction of an account: the results of the chain's checks, then of the
 * transaction.
 */
export function MessageForm({ message, title, onLeave }: MessageFormProps) {
  const { name, signer, fields } = message;
  const { actions, client } = usePage();
  const { values, from, live, refresh, set, sign } = useMessage(message);
  const [memo, setMemo] = useState("");
  const [answered, setAnswered] = useState<Answered>();
  const [sending, setSending] = useState(false);
  const world = useFrameState(({ frame }) => frame?.world ?? "");
  /** The world in which it was opened or edited last; undefined once it is sent and accepted. */
  const [editedIn, setEditedIn] = useState<string | undefined>(world);
  useWaitingChain(!sending && editedIn === world);
  const edited =
    <V extends readonly unknown[]>(change: (...values: V) => void) =>
    (...values: V): void => {
      setEditedIn(world);
      change(...values);
    };
  const { step, problem: unread } = stepOf(message, values, from, memo);
  const preview = useChecks(step ? JSON.stringify(step) : "");

  const run = async (): Promise<void> => {
    if (step === undefined || sending) return;
    setSending(true);
    // An edit while it is being sent counts for the next one.
    setEditedIn(undefined);
    const { ok, message: refusal, value } = await actions.runStep(step);
    if (!ok) setEditedIn(world);
    setAnswered(ok || value ? await answerOf(value) : { failure: refusal });
    setSending(false);
  };
  const answerOf = async (hash: string): Promise<Answered> => {
    try {
      const found = await client.query("chain.tx.v1beta1.Service/GetTx", { hash });
      return { status: 200, body: JSON.stringify(found), height: undefined };
    } catch (error) {
      return { failure: (error as ClientError).message };
    }
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void actions.inBranch(run);
  };
  const problem = unread ?? preview?.refusal?.message ?? "";
  return (
    <>
      <RequestPane label="Transaction" title={title} onLeave={onLeave}>
        <p className={css.template}>
          <code>/{name}</code>
        </p>
        <form onSubmit={send}>
          <div className={css.fields}>
            <Parameter
              name="from"
              needed
              value={from}
              offered={live.from_address ?? []}
              onChange={edited(sign)}
              onFocus={() => void refresh()}
            />
            {fields
              .filter((field) => !isAccount(signer) || field.name !== signer)
              .map((field) => (
                <Parameter
                  key={field.name}
                  name={field.name}
                  long={field.type === "json"}
                  value={values[field.name] ?? ""}
                  offered={live[field.name] ?? []}
                  onChange={edited((value: string) => set(field.name, value))}
                  onFocus={() => void refresh()}
                />
              ))}
            <Parameter name="memo" value={memo} offered={[]} onChange={edited(setMemo)} />
          </div>
          <p className="small" role="status" data-bad={problem ? "" : undefined}>
            {problem || (preview ? preview.sentence || "The checks of the chain pass." : "…")}
          </p>
          <button type="submit" disabled={step === undefined || sending} aria-busy={sending}>
            Send
          </button>
          <span className="small soft"> The lab's accounts pay no fee.</span>
          <PausedNote does="block" />
        </form>
      </RequestPane>
      <Answer answered={answered} />
    </>
  );
}

/** Offers the accounts that may sign. */
const FROM = { name: "from_address", type: "string" } as const;

/** True if the signer field holds an account address, not an operator address. */
const isAccount = (signer: string): boolean => !signer.startsWith("validator");

function stepOf(
  { name, fields }: MessageType,
  values: Readonly<Record<string, string>>,
  from: string,
  memo: string,
): { readonly step?: ScenarioStep; readonly problem?: string } {
  try {
    const message = { "@type": `/${name}`, ...messageOf(fields, values) };
    return { step: { tx: { from, msgs: [message], ...(memo && { memo }) } } };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
