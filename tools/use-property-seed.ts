/** Vitest's set-up of each test file: its properties are drawn from the run's seed, with the run's share of draws. */
import fc from "fast-check";
import { inject } from "vitest";
import { propertyRuns } from "../src/engine/primitives/property.testing.ts";

fc.configureGlobal({ seed: inject("propertySeed"), numRuns: propertyRuns(100) });
