/** The REST interface as OpenAPI 3.1, generated from the routes and descriptors of the server. */

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { HEIGHT_HEADER } from "../base/height-header.ts";
import { integerType } from "../view/integers.ts";
import type { Json } from "../view/json.ts";
import { QUERY_ROUTES } from "../view/query-routes.ts";

type Schema = { [key: string]: Json };

/** Types with a special JSON format. */
const OWN_FORMS: Readonly<Record<string, Schema>> = {
  "google.protobuf.Timestamp": { type: ["string", "null"], format: "date-time" },
  "google.protobuf.Duration": { type: ["string", "null"], examples: ["1814400s"] },
  "google.protobuf.Any": {
    type: ["object", "null"],
    properties: { "@type": { type: "string" } },
    required: ["@type"],
  },
};

const STATUS_SCHEMA: Schema = {
  type: "object",
  properties: {
    code: { type: "integer", description: "gRPC status code" },
    message: { type: "string" },
    details: { type: "array", items: {} },
  },
};

/** @param version of the server */
export function openApi(version: string): Schema {
  const schemas = new Schemas();
  const paths: Record<string, Schema> = {};
  for (const { method, name, paths: templates, verb } of QUERY_ROUTES) {
    for (const [index, template] of templates.entries()) {
      const path = template.replaceAll("=**}", "}");
      const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, field = ""]) => field);
      const requested =
        verb === "POST"
          ? { requestBody: { content: json(schemas.of(method.input)) } }
          : { parameters: parametersOf(method.input, inPath) };
      paths[path] = {
        ...paths[path],
        [verb.toLowerCase()]: {
          operationId: index === 0 ? name : `${name}#${index}`,
          tags: [method.parent.typeName],
          ...requested,
          responses: {
            "200": { description: method.output.name, content: json(schemas.of(method.output)) },
            default: { description: "Why there is no answer", content: json(STATUS_SCHEMA) },
          },
        },
      };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Chainlab",
      version,
      description: "Every path that begins with /chain is answered below /cosmos as well.",
    },
    paths,
    components: { schemas: schemas.all },
  };
}

const json = (schema: Schema): Schema => ({ "application/json": { schema } });

/** The header that pins a height, path parameters, and query parameters, including pagination. */
function parametersOf(input: DescMessage, inPath: readonly string[]): Json[] {
  const parameter = (name: string, host: string, schema: Schema): Schema => ({
    name,
    in: host,
    schema,
    ...(host === "path" ? { required: true } : {}),
  });
  // As in the API panel, fields of nested messages are parameters one level deep.
  const inQuery = (fields: readonly DescField[], before = ""): Schema[] =>
    fields.flatMap((field) => {
      if (field.fieldKind === "message") {
        return before === "" ? inQuery(field.message.fields, `${field.name}.`) : [];
      }
      if (field.fieldKind === "map" || inPath.includes(field.name)) return [];
      const one = valueSchema(field);
      const schema: Schema = field.fieldKind === "list" ? { type: "array", items: one } : one;
      return [parameter(before + field.name, "query", schema)];
    });
  return [
    ...inPath.map((name) => parameter(name, "path", { type: "string" })),
    ...inQuery(input.fields),
    parameter(HEIGHT_HEADER, "header", { type: "integer" }),
  ];
}

/** Schema of a single value of a field that is not a message. */
function valueSchema({ enum: names, scalar }: DescField): Schema {
  if (names) return { type: "string", enum: names.values.map(({ name }) => name) };
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.BYTES:
      return { type: ["string", "null"], contentEncoding: "base64" };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: ["number", "string"] };
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return { type: "integer" };
    default: {
      // 64-bit integers are strings.
      const isInteger = integerType(scalar) !== undefined;
      return { type: "string", ...(isInteger ? { pattern: "^-?[0-9]+$" } : {}) };
    }
  }
}

/** The messages in answers, each once by its name. */
class Schemas {
  readonly all: Record<string, Schema> = {};

  of(message: DescMessage): Schema {
    const own = OWN_FORMS[message.typeName];
    if (own !== undefined) return own;
    if (this.all[message.typeName] === undefined) {
      const properties: Schema = {};
      // Registered before its fields are read: a message may be recursive.
      this.all[message.typeName] = { type: "object", properties };
      for (const field of message.fields) properties[field.name] = this.#field(field);
    }
    return { $ref: `#/components/schemas/${message.typeName}` };
  }

  #field(field: DescField): Schema {
    const one = field.message ? this.of(field.message) : valueSchema(field);
    if (field.fieldKind === "list") return { type: "array", items: one };
    if (field.fieldKind === "map") return { type: "object", additionalProperties: one };
    return field.fieldKind === "message" && "$ref" in one
      ? { anyOf: [one, { type: "null" }] }
      : one;
  }
}

/** The same as a web page: every path with its parameters. */
export function openApiPage(version: string): string {
  const { paths = {} } = openApi(version) as { paths?: Record<string, Record<string, Operation>> };
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, { operationId, parameters = [] }]) => {
      const named = parameters.filter((one) => one.in === "query").map(({ name }) => name);
      const shown = path.includes("{") || verb !== "get" ? path : `<a href="${path}">${path}</a>`;
      return `<tr><td>${verb.toUpperCase()}</td><td>${shown}</td><td>${named.join(", ")}</td><td>${operationId}</td></tr>`;
    }),
  );
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Chainlab: REST</title>',
    "<style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui;margin:16px}",
    "td,th{text-align:start;padding:4px 12px 4px 0;vertical-align:top;overflow-wrap:anywhere}</style>",
    `<h1>REST of Chainlab ${version}</h1>`,
    '<p>As <a href="/openapi.json">OpenAPI 3.1</a>. What begins with /chain is answered below /cosmos as well.',
    `The header ${HEIGHT_HEADER} names the height that is asked about.</p>`,
    "<table><tr><th>Method</th><th>Path</th><th>Parameters</th><th>Query</th></tr>",
    ...rows,
    "</table></html>",
  ].join("\n");
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
