import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { fromAccAddress, fromValAddress } from "../../base/bech32.ts";
import { signer as signerOption } from "../../gen/chain/base/v1beta1/annotations_pb.ts";
import { decodeMessage, encodeMessage, inChain, typeUrl } from "./codec.ts";
import type { Context } from "./context.ts";
import { addressError, Panic } from "./errors.ts";

/** Methods of a protobuf service with an execution context; responses may be plain fields. */
export type ServiceImpl<S> =
  S extends GenService<infer M extends GenServiceMethods>
    ? {
        [K in keyof M]: (
          ctx: Context,
          request: MessageShape<M[K]["input"]>,
        ) => MessageInitShape<M[K]["output"]>;
      }
    : never;

/** One routable method of a module. */
export interface Route {
  readonly module: string;
  readonly input: DescMessage;
  readonly output: DescMessage;
  invoke(ctx: Context, request: MessageShape<DescMessage>): MessageShape<DescMessage>;
}

/** Messages by type URL and queries by `package.Service/Method`. */
export class ServiceRouter {
  readonly #messages = new Map<string, Route>();
  readonly #queries = new Map<string, Route>();

  /** Registers the Msg service of a module: each method becomes the handler of its request type. */
  registerMsg<S extends GenService<GenServiceMethods>>(
    module: string,
    service: S,
    impl: ServiceImpl<S>,
  ): void {
    for (const method of service.methods)
      put(this.#messages, typeUrl(method.input), route(module, method, impl));
  }

  /** Registers the Query service of a module. */
  registerQuery<S extends GenService<GenServiceMethods>>(
    module: string,
    service: S,
    impl: ServiceImpl<S>,
  ): void {
    for (const method of service.methods)
      put(this.#queries, `${service.typeName}/${method.name}`, route(module, method, impl));
  }

  /** Handler of a message type, under either root; undefined if this binary has none. */
  message(url: string): Route | undefined {
    return this.#messages.get(url) ?? this.#messages.get(inChain(url));
  }

  /** Handler of a query, e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`. */
  query(name: string): Route | undefined {
    return this.#queries.get(name);
  }

  /**
   * Returns a packed message with all type URLs under the chain's root, including those within
   * messages of this binary (rules/clients 1.1). Bytes without other type URLs are unchanged.
   */
  inChain(any: Any): Any {
    const renamed = inChain(any.typeUrl);
    const value = this.#contentInChain(any);
    return renamed === any.typeUrl && value === any.value
      ? any
      : { ...any, typeUrl: renamed, value };
  }

  #contentInChain({ typeUrl: url, value }: Any): Uint8Array {
    const { input } = this.message(url) ?? {};
    const packed = input?.fields.filter(({ message }) => message?.typeName === AnySchema.typeName);
    if (input === undefined || !packed?.length) return value;
    let isOther = false;
    const rename = (any: Any): Any => {
      const renamed = this.inChain(any);
      isOther ||= renamed !== any;
      return renamed;
    };
    try {
      const message = decodeMessage(input, value) as unknown as Record<string, unknown>;
      const renamed = packed.map(({ localName }) => {
        const held = message[localName] as Any | readonly Any[] | undefined;
        return [localName, held && (isList(held) ? held.map(rename) : rename(held))];
      });
      return isOther ? encodeMessage(input, { ...message, ...Object.fromEntries(renamed) }) : value;
    } catch {
      // It is refused when it is decoded.
      return value;
    }
  }

  /** Decodes a packed message for its route. Throws if the bytes are not such a message. */
  static decode(route: Route, any: Any): MessageShape<DescMessage> {
    return decodeMessage(route.input, any.value);
  }
}

const isList = <T>(held: T | readonly T[]): held is readonly T[] => Array.isArray(held);

const signerFields = new WeakMap<DescMessage, DescField>();

function signerField(desc: DescMessage): DescField {
  let field = signerFields.get(desc);
  if (field !== undefined) return field;
  const name = getOption(desc, signerOption);
  field = desc.fields.find((one) => one.name === name);
  if (field === undefined) throw new Panic(`${desc.typeName} names no signer field`);
  signerFields.set(desc, field);
  return field;
}

/** Text of the address in the signer field of a message. */
export const signerOf = (desc: DescMessage, message: MessageShape<DescMessage>): string =>
  String((message as unknown as Record<string, unknown>)[signerField(desc).localName] ?? "");

/**
 * Returns the account in the signer field of a message: an operator signs with the account of the
 * same bytes. The field determines the address prefix, as for every address (rules/consensus 8.5).
 * Throws a ChainError for any other text.
 */
export function signerAddress(desc: DescMessage, text: string): Uint8Array {
  const isOperator = signerField(desc).name.startsWith("validator_addr");
  try {
    return isOperator ? fromValAddress(text) : fromAccAddress(text);
  } catch (error) {
    throw addressError(error);
  }
}

function put(routes: Map<string, Route>, key: string, value: Route): void {
  if (routes.has(key))
    throw new Panic(`${key} is already registered by ${routes.get(key)?.module}`);
  routes.set(key, value);
}

function route(module: string, method: DescMethod, impl: object): Route {
  const call = (impl as Record<string, (ctx: Context, request: unknown) => object>)[
    method.localName
  ];
  if (call === undefined) throw new Panic(`${module} does not implement ${method.name}`);
  return {
    module,
    input: method.input,
    output: method.output,
    invoke: (ctx, request) =>
      create(method.output, call(ctx, request) as MessageInitShape<DescMessage>),
  };
}
