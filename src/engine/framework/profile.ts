/**
 * Where the interface documents and today's upstream differ, code reads one of these rows. The
 * values for each named profile are in one table, `app/profile.ts`; no code depends on a profile's
 * name.
 */
export interface Profile {
  /**
   * Age limit of block-begin evidence: time only, or time and block count (both must be exceeded).
   */
  readonly evidenceAge: "time" | "time-and-blocks";
  /**
   * Time used to check block-begin evidence: the block time at its height, or the time in the
   * evidence.
   */
  readonly evidenceTime: "block-at-height" | "carried";
  /** Misbehavior of a validator that no longer exists in staking: ignored, or the block fails. */
  readonly unknownValidator: "ignored" | "error";
  /**
   * A vote in the last commit of a validator that no longer exists in staking: ignored, or the
   * block fails.
   */
  readonly unknownVoter: "ignored" | "error";
  /** A validator created with a tombstoned key: jailed from the start, or bonded like any other. */
  readonly tombstonedKey: "jailed" | "bonded";
  /**
   * Misbehavior that cannot be converted to valid evidence: ignored, or handled and stored
   * unchecked.
   */
  readonly misbehaviorCheck: "validate-basic" | "none";
  /**
   * `message.action` of MsgSubmitEvidence: its documented literal, or the type URL plus msg_index.
   */
  readonly messageAction: "literal" | "type-url";
  /** Status of a query whose evidence hash is not hex. */
  readonly badEvidenceHash: "invalid-argument" | "unknown";
  /** Status of a query for a single item with an invalid address. */
  readonly badQueryAddress: "invalid-argument" | "unknown";
  /** Status when staking's lookups find nothing or cannot decode: by cause, or always Internal. */
  readonly stakingLookup: "by-cause" | "internal";
  /**
   * Status of a filter with an invalid address, and time of the check: at once, or with the first
   * entry.
   */
  readonly badFilterAddress: "invalid-argument" | "internal";
  /** Entries counted by the offset and the total of a filtered list: only matching ones, or all. */
  readonly filteredPages: "kept" | "all";
  /** Submitting evidence to a chain without a Router: a plain refusal, or a recovered panic. */
  readonly noRouter: "no-handler" | "panic";
  /**
   * Record of a completed upgrade: `0x01 ‖ name → BE height`, or `0x01 ‖ BE height ‖ name → 0x01`.
   */
  readonly doneKey: "name" | "height-and-name";
  /** Order that determines the last completed upgrade among several at one height. */
  readonly lastUpgrade: "height" | "height-then-name";
  /** Output of `query upgrade applied`. */
  readonly appliedQuery: "header" | "height";
  /** Output of the command line if there is no plan or no such applied upgrade. */
  readonly missingUpgrade: "error" | "empty";
  /** Height in upgrade-info.json, for the skip flag and for the StoreLoader. */
  readonly upgradeHeight: "plan" | "block";
  /**
   * A node without the handler of a due plan, or with one too early: its process exits, or keeps
   * running halted.
   */
  readonly upgradeHalt: "process-exits" | "process-stays-up";
}
