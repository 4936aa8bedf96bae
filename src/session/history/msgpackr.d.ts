/**
 * The build of msgpackr that generates no code at run time, which a strict content security policy
 * forbids.
 */
declare module "msgpackr/index-no-eval" {
  export { Packr } from "msgpackr";
}
