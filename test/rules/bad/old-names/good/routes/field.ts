// A field of the API keeps its name, and a word is fine where it means what everybody takes it for.
export const status = { glass: 'off', happenings: 0 };
export const inFlight = new Set<string>();
export const glance = 'glass';
