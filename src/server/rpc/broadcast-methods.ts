/** Receives signed transactions (rules/clients 2.7). */
import { fromHex } from "../../base/from-hex.ts";
import { type JsonObject, txResultForm } from "../../view/events/forms.ts";
import { internalError } from "../../view/rpc-error.ts";
import { type CheckedTx, checkTx } from "../../view/tx/check-tx.ts";
import { act, read } from "./method.ts";

const TX = { tx: "bytes" } as const;
const NOTHING = new Uint8Array();

export const BROADCAST_METHODS = {
  broadcast_tx_sync: act(TX, async (node, { tx = NOTHING }) =>
    broadcastForm(await node.broadcast(tx)),
  ),
  broadcast_tx_async: act(TX, async (node, { tx = NOTHING }) => {
    const { hash } = await node.broadcast(tx);
    return broadcastForm({ code: 0, codespace: "", log: "", hash });
  }),
  broadcast_tx_commit: act(TX, async (node, { tx = NOTHING }) => {
    const checked = await node.broadcast(tx);
    const check_tx = checkForm(checked);
    const { code, hash } = checked;
    if (code !== 0) return { check_tx, tx_result: NO_RESULT, hash, height: "0" };
    const found = await node.committed(fromHex(hash));
    if (found === undefined)
      throw internalError("timed out waiting for tx to be included in a block");
    return { check_tx, tx_result: txResultForm(found, tx), hash, height: `${found.height}` };
  }),
  check_tx: read(TX, ({ sim }, { tx = NOTHING }, node) => checkForm(checkTx(sim, tx, node))),
};

const broadcastForm = ({
  code,
  log,
  codespace,
  hash,
}: Pick<CheckedTx, "code" | "log" | "codespace" | "hash">): JsonObject => ({
  code,
  data: "",
  log,
  codespace,
  hash,
});

const NO_RESULT: JsonObject = {
  code: 0,
  data: null,
  log: "",
  info: "",
  gas_wanted: "0",
  gas_used: "0",
  events: [],
  codespace: "",
};

const checkForm = ({ code, log, codespace, gasWanted }: CheckedTx): JsonObject => ({
  ...NO_RESULT,
  code,
  log,
  codespace,
  gas_wanted: `${gasWanted}`,
});
