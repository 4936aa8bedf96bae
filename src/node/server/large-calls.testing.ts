/**
 * A program that starts large calls over HTTP/2 and never ends them; prints the trailers of the
 * first answer. A separate process, which is killed: Node's client corrupts its memory when a
 * session with so much unsent data is destroyed. Its arguments are the address of a server and the
 * path of the calls.
 */
import { connect } from "node:http2";

const MEGABYTE = 1024 * 1024;
const [address = "", path = ""] = process.argv.slice(2);
// Pending bytes count for the client too, which would otherwise end the calls itself.
const session = connect(`http://${address}`, { maxSessionMemory: 1_000 });
session.on("error", () => {});
for (let i = 0; i < 100; i++) {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
  });
  stream.on("error", () => {});
  stream.once("trailers", (trailers) => console.log(JSON.stringify(trailers)));
  stream.resume();
  // Announces four megabytes, and sends three.
  stream.write(Buffer.of(0, 0, 0x3d, 0x09, 0));
  stream.write(Buffer.alloc(3 * MEGABYTE));
}
