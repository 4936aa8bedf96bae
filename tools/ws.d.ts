/** The package has no types of its own: it is used as browsers' WebSocket, which Node has from version 22 on. */
declare module "ws" {
  const WebSocket: typeof globalThis.WebSocket;
  export default WebSocket;
}
