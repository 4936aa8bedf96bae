/** The part of the package that servers use; it has no types of its own. */
declare module "ws" {
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  export class WebSocket {
    constructor(address: string, options?: { readonly headers: Readonly<Record<string, string>> });
    readonly bufferedAmount: number;
    readonly readyState: number;
    readonly OPEN: number;
    send(text: string, written?: () => void): void;
    ping(): void;
    pause(): void;
    resume(): void;
    close(code: number, reason: string): void;
    terminate(): void;
    on(event: "message", heard: (data: Buffer, isBinary: boolean) => void): this;
    on(event: "open" | "close" | "pong", heard: () => void): this;
    on(event: "close", heard: (code: number, reason: Buffer) => void): this;
    on(event: "error", heard: (error: Error) => void): this;
  }

  export class WebSocketServer {
    constructor(options: {
      readonly noServer: true;
      readonly maxPayload: number;
      readonly perMessageDeflate: false;
    });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      opened: (socket: WebSocket) => void,
    ): void;
    close(): void;
  }
}
