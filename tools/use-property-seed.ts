/**
 * Vitest's set-up of each test file: its properties are drawn from the run's seed, with the run's share of draws, and the
 * address prefix of a file that ran before it is gone.
 */
import fc from "fast-check";
import { inject } from "vitest";
import { setAddressPrefix } from "../src/base/bech32.ts";
import { propertyRuns } from "../src/base/property.testing.ts";

fc.configureGlobal({ seed: inject("propertySeed"), numRuns: propertyRuns(100) });
setAddressPrefix();
