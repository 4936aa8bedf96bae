import { plainError, prefixed } from "../../framework/errors.ts";
import { goJsonError, goKind } from "./go-json.ts";
import { recased } from "./layout.ts";

/** Contents of upgrade-info.json, which the upgrade module writes to the disk for the sidecar. */
export interface UpgradeInfo {
  /**
   * As Cosmovisor reads it: in lower case, because people write capitals where the folder has none,
   * unless recasing is disabled.
   */
  readonly name: string;
  readonly height: number;
  readonly info: string;
}

/**
 * View of upgrade-info.json in one run of Cosmovisor (rules/sidecar 3.2). A restart resets it; then
 * only the name in the current folder identifies the completed upgrade.
 */
export class UpgradeWatch {
  /** Last plan recorded as seen; undefined before the first. */
  #seen: UpgradeInfo | undefined;
  #read: { readonly content: string; readonly info: UpgradeInfo } | undefined;
  readonly #recase: boolean;

  /** @param recase false if COSMOVISOR_DISABLE_RECASE is set */
  constructor(recase = true) {
    this.#recase = recase;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#seen] as const;
  }
  set persisted(persisted) {
    [this.#seen] = persisted;
  }

  /**
   * Returns the plan to switch to now, if any.
   * @param content of data/upgrade-info.json
   * @param height from the app's status command; undefined when the app does not answer
   * @param currentName returns the name in the current folder's own upgrade-info.json, or empty;
   * called once
   * @throws Error when the content is not a plan; Cosmovisor panics with its text
   */
  check(
    content: string | undefined,
    height: number | undefined,
    currentName: () => string,
  ): UpgradeInfo | undefined {
    if (content === undefined || content === "") return undefined;
    if (content !== this.#read?.content) {
      this.#read = { content, info: readInfo(content, this.#recase) };
    }
    const { info } = this.#read;
    if (height === undefined || height < info.height) return undefined;
    const last = this.#seen;
    if (last === undefined) {
      this.#seen = info;
      return recased(info.name) === recased(currentName()) ? undefined : info;
    }
    // An equal height is not checked again, even with another name.
    if (info.height <= last.height) return undefined;
    this.#seen = info;
    return info;
  }
}

/** The plan in an upgrade-info.json; undefined if there is none. */
export function planIn(content: string | undefined, recase = true): UpgradeInfo | undefined {
  try {
    return readInfo(content ?? "", recase);
  } catch {
    return undefined;
  }
}

function readInfo(content: string, recase: boolean): UpgradeInfo {
  const failed = "failed to parse upgrade info file: ";
  const plan = prefixed(failed, () => readPlan(content));
  prefixed(`${failed}invalid upgrade-info.json content: `, () => validatePlan(plan));
  return { ...plan, name: recased(plan.name, recase) };
}

/**
 * Reads the plan again in the middle of an upgrade, without recasing its name. Throws with Go's
 * text.
 */
export function rereadPlan(content: string | undefined): UpgradeInfo {
  if (content !== undefined) return readPlan(content);
  throw plainError(
    "error while reading upgrade-info.json: open data/upgrade-info.json: no such file or directory",
  );
}

/** Validates a plan in a file as Plan.ValidateBasic does. Throws an Error. */
export function validatePlan({ name, height }: UpgradeInfo): void {
  if (name === "") throw plainError("name cannot be empty: invalid request");
  if (height <= 0) throw plainError("height must be greater than 0: invalid request");
}

/** Reads a plan as Go does. Throws an Error with Go's text. */
export function readPlan(content: string): UpgradeInfo {
  const refuse = (why: string): never => {
    throw plainError(why);
  };
  const fault = goJsonError(content);
  if (fault !== undefined) refuse(fault);
  const plan: unknown = JSON.parse(content);
  if (typeof plan !== "object" || Array.isArray(plan)) {
    refuse(`json: cannot unmarshal ${goKind(plan)} into Go value of type types.Plan`);
  }
  const field = (key: string, empty: string | number, type: string): unknown => {
    const value = (plan as Readonly<Record<string, unknown>> | null)?.[key] ?? empty;
    if (typeof value === typeof empty && (typeof value === "string" || Number.isInteger(value))) {
      return value;
    }
    const kind = typeof value === "number" ? `number ${value}` : goKind(value);
    return refuse(
      `json: cannot unmarshal ${kind} into Go struct field Plan.${key} of type ${type}`,
    );
  };
  return {
    name: field("name", "", "string") as string,
    height: field("height", 0, "int64") as number,
    info: field("info", "", "string") as string,
  };
}
