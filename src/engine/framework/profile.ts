/**
 * Where the interface documents and today's upstream differ, code reads one of these rows. The rows'
 * values for each named profile stand in one table, `app/profile.ts`; no code depends on a profile's name.
 */
export interface Profile {
  /**
   * Age limit of block-begin evidence: exceeded by time alone, or only if time and block count
   * agree.
   */
  readonly evidenceAge: "time" | "time-and-blocks";
  /**
   * Time by which block-begin evidence is judged: the block time at its height, or the carried one.
   */
  readonly evidenceTime: "block-at-height" | "carried";
  /** Misbehavior of a validator that staking no longer knows: ignored, or the block fails. */
  readonly unknownValidator: "ignored" | "error";
  /** A vote in the last commit of a validator that staking no longer knows: ignored, or the block fails. */
  readonly unknownVoter: "ignored" | "error";
  /** A validator created with a tombstoned key: jailed from the start, or bonded like any other. */
  readonly tombstonedKey: "jailed" | "bonded";
  /** Misbehavior that no valid evidence can be made of: ignored, or handled and stored unchecked. */
  readonly misbehaviorCheck: "validate-basic" | "none";
  /** `message.action` of MsgSubmitEvidence: its documented literal, or the type URL plus msg_index. */
  readonly messageAction: "literal" | "type-url";
  /** Status of a query with an evidence hash that is not hex. */
  readonly badEvidenceHash: "invalid-argument" | "unknown";
  /** The status of a query for one thing whose address is none. */
  readonly badQueryAddress: "invalid-argument" | "unknown";
  /**
   * The status where staking's lookups find nothing or cannot read: what fits the cause, or always Internal.
   */
  readonly stakingLookup: "by-cause" | "internal";
  /**
   * The status of a filter by an address that is none, and when it is noticed: at once, or with the first
   * entry.
   */
  readonly badFilterAddress: "invalid-argument" | "internal";
  /**
   * Entries that the offset and the total of a filtered list count: those that pass the filter, or
   * all.
   */
  readonly filteredPages: "kept" | "all";
  /** Submitting evidence to a chain without a Router: a plain refusal, or a recovered panic. */
  readonly noRouter: "no-handler" | "panic";
  /** The done mark: `0x01 ‖ name → BE height`, or `0x01 ‖ BE height ‖ name → 0x01`. */
  readonly doneKey: "name" | "height-and-name";
  /** Order by which the last completed upgrade is found among several at one height. */
  readonly lastUpgrade: "height" | "height-then-name";
  /** Output of `query upgrade applied`. */
  readonly appliedQuery: "header" | "height";
  /** Output of the command line if there is no plan or no such applied upgrade. */
  readonly missingUpgrade: "error" | "empty";
  /** Height in upgrade-info.json, for the skip flag and for the StoreLoader. */
  readonly upgradeHeight: "plan" | "block";
  /** A node without the Handler of a due plan, or with one too early: its process exits, or stays up halted. */
  readonly upgradeHalt: "process-exits" | "process-stays-up";
}
