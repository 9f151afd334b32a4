/** What a profile's bytes may hold at most (as panel-assistant). */
export const yamlLimits = {
  /** Size of the file. */
  bytes: 131_072,
  /** Maps and lists inside one another. */
  levels: 20,
  /** Entries of one map or list. */
  entries: 512,
  /** Characters of one text, key or value. */
  characters: 16_384,
  /** Values, keys, maps and lists together, with their ends. */
  events: 20_000,
} as const;
