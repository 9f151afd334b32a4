/** Marks a place in a draft that only a person can fill in: alone, or followed by words. */
const mark = new RegExp(String.raw`\b${['TO', 'DO'].join('')}(?=:|["']?\s*(?:#|$|[,\]}]\s*(?:[,\]}]|#|$)))`);

/** Line numbers of a profile, from 1, with a place left to fill in. */
export const todosIn = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, index) => (mark.test(line) ? [index + 1] : []));
