/** Marks a thread as one that runs scenarios, so that the one command can be started as either. */
export const WORKER_NAME = "chainlab-scenarios";
