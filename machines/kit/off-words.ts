/** What is off although the disk refused to save that, for people; without a full stop. */
export const offWords = (names: readonly string[]): string =>
  `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} off now, but that is not saved yet`;
