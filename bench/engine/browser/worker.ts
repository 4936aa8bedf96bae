/** One side of a comparison in a worker, where the chain runs in the page too. */

import * as ed25519 from "../../../src/base/ed25519.ts";
import { accelerateSha256 } from "../../../src/base/sha256.ts";
import * as codec from "../../../src/engine/framework/codec.ts";
import { answer, Side } from "../side.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

const post = (message: FromWorker): void => postMessage(message);

const side = new Side(() => performance.now());
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => post(answer(side, data)));
await accelerateSha256();
// The sources of a commit before may have none.
await (codec as Partial<typeof codec>).accelerateRecords?.();
await (ed25519 as Partial<typeof ed25519>).accelerateEd25519?.();
post({ ready: true });
