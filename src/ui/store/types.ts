/** The wire's messages as plain data, with the names used by the page. */
export type * from "../../gen/lab/v1/branches_plain.ts";
export type * from "../../gen/lab/v1/compare_plain.ts";
export type * from "../../gen/lab/v1/explain_plain.ts";
export type * from "../../gen/lab/v1/lab_plain.ts";
export type { LogLineView as LogLine, RoundView as Round } from "../../gen/lab/v1/lab_plain.ts";
export type * from "../../gen/lab/v1/record_plain.ts";
export type * from "../../gen/lab/v1/search_plain.ts";
export type * from "../../gen/lab/v1/share_plain.ts";
export type * from "../../gen/lab/v1/state_plain.ts";
export type * from "../../gen/lab/v1/worlds_plain.ts";
