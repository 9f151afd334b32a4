/** Limits of a profile's text (as panel-assistant). */
export const yamlLimits = {
  /** Size of the file, in bytes. */
  bytes: 131_072,
  /** Depth of nested maps and lists. */
  levels: 20,
  /** Entries of one map or list. */
  entries: 512,
  /** Characters of one text, key or value. */
  characters: 16_384,
  /** Parser events: values, keys, and the beginnings and ends of maps and lists. */
  events: 20_000,
} as const;
