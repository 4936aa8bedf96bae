/** Vitest's set-up of each test file: its properties are drawn from the run's seed. */
import fc from "fast-check";
import { inject } from "vitest";

fc.configureGlobal({ seed: inject("propertySeed") });
