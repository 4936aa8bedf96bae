/** The published schema of scenario files, for forms and completion. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

let fetched: Promise<Schema> | undefined;

/** Rejects if it cannot be fetched; the next call retries. */
export function scenarioSchema(): Promise<Schema> {
  fetched ??= fetch("scenario.schema.json")
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`the schema could not be read (${answer.status})`);
      return (await answer.json()) as Schema;
    })
    .catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
  return fetched;
}

/** The verbs with the schemas of their arguments. */
export function verbsOf(file: Schema): ReadonlyMap<string, Schema> {
  const steps = file.properties?.steps?.items?.anyOf ?? [];
  return new Map(
    steps.flatMap(({ properties = {} }) => {
      const [first] = Object.entries(properties);
      return first ? [first] : [];
    }),
  );
}

/** The alternative formats of a value. */
export const formsOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf?.flatMap(formsOf) ?? [schema];

/** The enum values of a schema. */
export function valuesOf(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  return formsOf(schema).flatMap(({ enum: listed, const: only, type }) => [
    ...(listed ?? []).map(String),
    ...(only === undefined ? [] : [String(only)]),
    ...(type === "boolean" ? ["true", "false"] : []),
  ]);
}

/** All possible keys of a map, in any of its formats. */
export const keysOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  Object.assign({}, ...formsOf(schema).map(({ properties = {} }) => properties));

/** The schema at a path of keys; lists are skipped. */
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of path) {
    const forms: Schema[] = at === undefined ? [] : [...formsOf(at)];
    const maps = forms.flatMap((form) => (form.items ? [...formsOf(form.items)] : [form]));
    const found = maps.flatMap(({ properties, additionalProperties }) => {
      const own = properties?.[key];
      if (own) return [own];
      return typeof additionalProperties === "object" ? [additionalProperties] : [];
    });
    at = found.length > 1 ? { anyOf: found } : found[0];
  }
  if (at === undefined) return undefined;
  const inner = formsOf(at).flatMap((form) => (form.items ? [...formsOf(form.items)] : [form]));
  return inner.length > 1 ? { anyOf: inner } : inner[0];
}
