/** Marks a thread as the one that serves gRPC, so that the one command can be started as that. */
export const GRPC_THREAD = "chainlab-grpc";
