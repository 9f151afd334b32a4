import type { DriverScope } from '#drivers/kit/from-driver.ts';

/** Wraps a callback, so that its failure crashes the driver and not the process. */
export type Guard = DriverScope<never, unknown, never>['guard'];
