import { takesRoom } from "../../widgets/takes-room.ts";

/** A ref for what a story says, which stays in sight on a small screen: what is scrolled to comes below it. */
export const staysInSight = takesRoom("--told");
