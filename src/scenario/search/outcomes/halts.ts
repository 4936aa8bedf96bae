/** Reasons for which nodes halt or exit. */
import type { HaltCause } from "../../../engine/framework/halt.ts";
import type { Reach } from "./reach.ts";

export const HALTS: Readonly<Record<HaltCause["kind"], Reach>> = {
  upgrade_needed: {
    words: "an old binary at the height of an upgrade",
    by: "a plan that comes due on a node without its binary",
  },
  binary_too_early: {
    words: "a new binary before the height of its upgrade",
    by: "a binary that is installed while its plan still waits",
  },
  handler_missing: {
    words: "a binary without the Handler of the last upgrade",
    by: "a node that goes back to its old binary after an upgrade",
  },
  upgrade_info_not_written: {
    words: "upgrade-info.json cannot be written",
    by: "a plan that comes due on a node whose disk takes no files (nodes: disk)",
  },
  halt_height: { words: "the node was set to halt here", by: "nodes: halt_height" },
  halt_time: { words: "the node was set to halt at this time", by: "nodes: halt_time" },
  application_error: {
    words: "an error or panic of a module outside a transaction",
    by: "a binary whose Handler fails, or misbehavior of an unknown validator, profile sdk-0.53",
  },
  wrong_app_hash: {
    words: "another state than the chain's",
    by: "binaries that lead to different states at one height",
  },
  wrong_last_results_hash: {
    words: "other results than the chain's",
    never: "binaries of a file that lead to the same state give the same results",
  },
  wrong_last_block_id: {
    words: "another block than the chain's",
    by: "two forks that meet again after a partition",
  },
  validator_set_error: {
    words: "the application's changes of the validator set cannot be applied",
    by: "the last validators leaving the set in one block",
  },
  time_out_of_range: {
    words: "a vote's time that no Timestamp can hold",
    by: "a genesis_time close to the end of the year 9999",
  },
  crashed: { words: "killed while applying a block", by: "the fault crash" },
  upgrade_info_unreadable: {
    words: "upgrade-info.json cannot be read",
    by: "nodes: write_file of data/upgrade-info.json with other than JSON, and a restart",
  },
  store_version_mismatch: {
    words: "stores that do not fit the state",
    by: "a binary with a new store whose plan's name it does not have among its stores",
  },
  signer_state_missing: {
    words: "priv_validator_state.json is missing",
    by: "nodes: remove_file of data/priv_validator_state.json, and a start",
  },
  signer_state_unreadable: {
    words: "priv_validator_state.json cannot be read",
    by: "nodes: write_file of data/priv_validator_state.json with other than JSON, and a start",
  },
  backup_dir_missing: {
    words: "the sidecar's folder for backups is not there",
    by: "nodes: sidecar with a backup_dir that the disk does not have",
  },
  launch_failed: {
    words: "the sidecar could not start its binary",
    by: "a release that serves no binary of this chain, and an upgrade to it",
  },
  sidecar_skips: {
    words: "the sidecar stopped the app at a height that it is set to skip",
    by: "nodes: skip_upgrades on a node with a sidecar",
  },
  sidecar_waits: {
    words: "the sidecar waits in the middle of an upgrade",
    by: "nodes: sidecar with shutdown_grace or restart_delay, or a slow download",
  },
  sidecar_restart_off: {
    words: "the sidecar does not restart after an upgrade",
    by: "nodes: sidecar with restart_after_upgrade: false",
  },
  sidecar_failed: {
    words: "the sidecar could not do the upgrade",
    by: "a plan whose binary the sidecar neither has nor may download",
  },
};
