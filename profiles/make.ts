import type { ChosenDriver } from './document.ts';
import type { DriverFamily, DriverParts } from './driver-entry.ts';

/** This build cannot create the drivers of a profile. */
class UnresolvableProfileError extends Error {
  readonly code = 'unresolvable-profile';
  /** Id of the driver that cannot be created. */
  readonly driver: string;
  constructor(driver: string) {
    super(`driver ${driver} cannot be made`);
    this.name = 'UnresolvableProfileError';
    this.driver = driver;
  }
}

/** Creates what a part names; throws `UnresolvableProfileError` if this build cannot. */
export function make<Made>({ drivers }: DriverFamily<Made>, part: ChosenDriver, parts: DriverParts): Made {
  const entry = drivers.find(({ id }) => id === part.driver);
  const options = entry?.options().safeParse(part.options ?? {});
  if (entry === undefined || options?.success !== true) throw new UnresolvableProfileError(part.driver);
  return entry.create(options.data, parts);
}
