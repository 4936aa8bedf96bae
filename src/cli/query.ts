/** `chainlab query`: runs a scenario and queries the chain that is there at its end. */
import type { DescMethod } from "@bufbuild/protobuf";
import type { CliContext, QueriedChain } from "./context.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";
import { toYaml } from "./yaml.ts";

export interface QueryFlags {
  readonly scenario: string;
  /** The state after which is asked about; the newest unless given. */
  readonly height?: number;
  readonly output: "text" | "json";
}

/** What can be asked of a chain. */
export interface Question {
  readonly method: DescMethod;
  /** Asked instead when nothing is given by position. */
  readonly without?: DescMethod;
  /** Fields by position, `field?` where they may be left out, and `--field` as flags. */
  readonly takes: readonly string[];
  /** What a field is called in the help, where documents call it otherwise. */
  readonly called?: Readonly<Record<string, string>>;
  /** How the command is used, where one line of its own does not say it. */
  readonly usages?: readonly { readonly input: string; readonly brief: string }[];
  /** How the answer is printed, if not as it is. Throws an Error where there is nothing to print. */
  readonly show?: Show;
}

export type Show = (answer: unknown, chain: QueriedChain) => Answer;

export interface Answer {
  readonly value: unknown;
  /** Printed as JSON whatever is asked for. */
  readonly json?: true;
  /** Printed instead of the value's fields where people read. */
  readonly text?: string;
}

/** A request as it was written: values by the names of its fields, and which page. */
export interface Request {
  readonly fields: Readonly<Record<string, string>>;
  readonly pagination: Readonly<Record<string, unknown>> | undefined;
}

/** Prints an answer and returns the exit status. After a failed step the chain as it then was answers. */
export async function ask(
  context: CliContext,
  question: Question,
  request: Request,
  { scenario: file, height = 0, output }: QueryFlags,
): Promise<number> {
  const { stdout, stderr, scenarios } = context;
  const text = await soundText(context, file);
  if (text === undefined) return UNUSABLE;
  try {
    const chain = scenarios.chainAfter(text, file);
    if (chain.failure !== undefined) {
      stderr.write(`${file}: ${chain.failure}; the answer is of the chain as that step left it\n`);
    }
    stdout.write(printed(answerTo(question, request, height, chain), output));
    return PASSED;
  } catch (error) {
    stderr.write(`${file}: ${(error as Error).message}\n`);
    return FAILED;
  }
}

function answerTo(
  { method: usual, without, show }: Question,
  { fields, pagination }: Request,
  height: number,
  chain: QueriedChain,
): Answer {
  const method = without && Object.keys(fields).length === 0 ? without : usual;
  const meant = Object.entries(fields).map(([field, text]) => [
    field,
    meaningOf(field, text, chain),
  ]);
  const page = pagination && hasPages(method) ? { pagination } : {};
  const request = { ...Object.fromEntries(meant), ...page };
  const answer = chain.query(`${method.parent.typeName}/${method.name}`, request, height);
  return show ? show(answer, chain) : { value: answer };
}

/** Whether a method answers page by page. */
export const hasPages = ({ input }: DescMethod): boolean =>
  input.fields.some(({ name }) => name === "pagination");

/** What a person or validator is called is as good as the address, as names of keys are elsewhere. */
const ADDRESSES: Readonly<Record<string, string>> = {
  address: "",
  voter: "",
  depositor: "",
  delegator_addr: "",
  validator_addr: ".valoper",
  src_validator_addr: ".valoper",
  dst_validator_addr: ".valoper",
  cons_address: ".valcons",
};

/** Names and references mean what they mean in scenarios. */
function meaningOf(field: string, text: string, chain: QueriedChain): string {
  const part = ADDRESSES[field];
  const isName = part !== undefined && /^\w[\w-]*$/.test(text) && !/^chain(val[a-z]+)?1/.test(text);
  return chain.resolve(isName ? `\${${text}${part}}` : text);
}

function printed({ value, json, text }: Answer, output: QueryFlags["output"]): string {
  if (json || output === "json") return `${JSON.stringify(value, null, 2)}\n`;
  return text ?? toYaml(value);
}
