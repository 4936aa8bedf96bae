import type { LabAnswer, LabMethod, LabRequest } from "../gen/lab/v1/lab_plain.ts";

/** A request over HTTP: header names in lower case, the path relative to the page's folder. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /**
   * Id of the rest of a streamed answer: used as the path it requests the next part, with DELETE it
   * ends the stream.
   */
  readonly more?: string;
}

/** The service lab.v1.Lab, method by method. Absent fields of a request have their zero value. */
export type LabClient = {
  readonly [M in LabMethod]: (request: LabRequest<M>) => Promise<LabAnswer<M>>;
};

/** The only access to a running simulation. Every promise settles; errors are ClientErrors. */
export interface Client {
  readonly lab: LabClient;
  /** Default height of queries; 0: the newest. */
  height: number;
  /**
   * A query of the chain or the lab, e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`. Request and
   * response are in REST's JSON format (proto field names, 64-bit numbers as text). `height` 0 or
   * absent is the client's default.
   */
  query<Json>(name: string, request?: object, height?: number): Promise<Json>;
  /** A request over HTTP, such as `GET /chain/evidence/v1beta1/evidence`, answered as by a node. */
  http(request: HttpRequest): Promise<HttpAnswer>;
  /** Sends a token to a node, which gives this client control. Rejects if it is wrong. */
  requestControl(token: string): Promise<void>;
  /** Saves the session now, since the page may end. */
  leave(): void;
}

/** gRPC status codes that a call can fail with. */
export const CODE = {
  invalidArgument: 3,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
} as const;

/** Error of a refused or failed call. */
export class ClientError extends Error {
  /** gRPC status code. */
  readonly code: number;
  /** Path of the error in the request, e.g. `misbehavior.height`; empty if it has none. */
  readonly path: string;

  constructor(code: number, message: string, path = "") {
    super(message);
    this.name = "ClientError";
    this.code = code;
    this.path = path;
  }
}
