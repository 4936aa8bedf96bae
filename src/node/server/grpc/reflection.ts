/** Server reflection, v1 and v1alpha (rules/clients 5.3). */
import {
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescMethodBiDiStreaming,
  type DescService,
  fromBinary,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { STATUS } from "../../../engine/framework/errors.ts";
import {
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { renamedFiles, withImports } from "../../../server/upstream-names.ts";

type Reply = ServerReflectionResponse["messageResponse"];

/** Answers reflection for services, and for types in files that are only used within Any. */
export function reflect(
  router: ConnectRouter,
  services: readonly DescService[],
  files: readonly DescFile[],
): void {
  // The older version has the same messages in another package.
  const alpha = renamedFiles([ServerReflection.file], (name) =>
    name.replace(/^grpc([./])reflection[./]v1(?!\w)/, "grpc$1reflection$1v1alpha"),
  ).getService("grpc.reflection.v1alpha.ServerReflection");
  const versions = [ServerReflection, ...(alpha ? [alpha] : [])];
  const known = new SymbolIndex([...services, ...versions], files);
  router.rpc(ServerReflection.method.serverReflectionInfo, async function* (requests) {
    for await (const request of requests) yield answered(known, request);
  });
  const method = alpha?.methods.find(isTwoWay);
  if (method === undefined) return;
  router.rpc(method, async function* (requests) {
    for await (const request of requests) {
      const requested = fromBinary(ServerReflectionRequestSchema, toBinary(method.input, request));
      const answer = toBinary(ServerReflectionResponseSchema, answered(known, requested));
      yield fromBinary(method.output, answer);
    }
  });
}

const isTwoWay = (method: DescMethod): method is DescMethodBiDiStreaming =>
  method.methodKind === "bidi_streaming";

const answered = (
  known: SymbolIndex,
  originalRequest: ServerReflectionRequest,
): ServerReflectionResponse => ({
  $typeName: ServerReflectionResponseSchema.typeName,
  validHost: originalRequest.host,
  originalRequest,
  messageResponse: known.reply(originalRequest),
});

/** All symbols that reflection can return. */
class SymbolIndex {
  readonly #services: readonly DescService[];
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  readonly #extensions: DescExtension[] = [];

  constructor(services: readonly DescService[], files: readonly DescFile[]) {
    this.#services = services;
    for (const file of withImports([...services.map((service) => service.file), ...files])) {
      this.#files.set(file.proto.name, file);
      this.#extensions.push(...file.extensions);
      for (const service of file.services) {
        this.#symbols.set(service.typeName, file);
        for (const { name } of service.methods)
          this.#symbols.set(`${service.typeName}.${name}`, file);
      }
      file.messages.forEach((message) => void this.#addMessage(message));
      for (const { typeName } of [...file.enums, ...file.extensions])
        this.#symbols.set(typeName, file);
    }
  }

  #addMessage(message: DescMessage): void {
    const { typeName, file } = message;
    this.#symbols.set(typeName, file);
    for (const { name } of message.fields) this.#symbols.set(`${typeName}.${name}`, file);
    for (const nested of message.nestedEnums) this.#symbols.set(nested.typeName, file);
    message.nestedMessages.forEach((nested) => void this.#addMessage(nested));
  }

  reply({ messageRequest: { case: kind, value } }: ServerReflectionRequest): Reply {
    switch (kind) {
      case "listServices": {
        const service = this.#services.map(({ typeName: name }) =>
          message("ServiceResponse", { name }),
        );
        return { case: "listServicesResponse", value: message("ListServiceResponse", { service }) };
      }
      case "fileByFilename":
        return withFile(this.#files.get(value), value);
      case "fileContainingSymbol":
        return withFile(this.#symbols.get(value.replace(/^\./, "")), value);
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = value;
        const found = this.#extensions.find(
          ({ extendee, number }) =>
            extendee.typeName === containingType && number === extensionNumber,
        );
        return withFile(found?.file, `extension ${extensionNumber} of ${containingType}`);
      }
      case "allExtensionNumbersOfType": {
        if (!this.#symbols.has(value)) return missing(value);
        const own = this.#extensions.filter(({ extendee }) => extendee.typeName === value);
        const extensionNumber = own.map(({ number }) => number);
        return {
          case: "allExtensionNumbersResponse",
          value: message("ExtensionNumberResponse", { baseTypeName: value, extensionNumber }),
        };
      }
      default:
        return missing("nothing was asked for");
    }
  }
}

/** A file with its imports, which saves the client further requests. */
function withFile(file: DescFile | undefined, requested: string): Reply {
  if (file === undefined) return missing(requested);
  const fileDescriptorProto = withImports([file]).map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  return {
    case: "fileDescriptorResponse",
    value: message("FileDescriptorResponse", { fileDescriptorProto }),
  };
}

const missing = (requested: string): Reply => ({
  case: "errorResponse",
  value: message("ErrorResponse", {
    errorCode: STATUS.notFound,
    errorMessage: `not found: ${requested}`,
  }),
});

const message = <N extends string, F extends object>(name: N, fields: F) => ({
  $typeName: `grpc.reflection.v1.${name}` as const,
  ...fields,
});
