import recorded from './examples.json' with { type: 'json' };

const byKey: ReadonlyMap<string, unknown> = new Map(Object.entries(recorded));

/** Name of the example of what an operation answers with a status, or is sent (`body`), in one media type. */
export const exampleKey = (operationId: string, what: string, type: string): string =>
  `${operationId} ${what} ${type.replace(/;.*$/, '')}`;

/** What was recorded of an operation (`npm run record-examples`); undefined where nothing was. */
export const recordedExample = (operationId: string, what: string, type: string): unknown =>
  byKey.get(exampleKey(operationId, what, type));
