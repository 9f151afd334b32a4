/** The mark of a place that only a person can fill in, as drafts have it: alone, or with words behind it. */
const mark = new RegExp(String.raw`\b${['TO', 'DO'].join('')}(?=:|["']?\s*(?:#|$|[,\]}]\s*(?:[,\]}]|#|$)))`);

/** Lines of a profile, from 1, with a place that is still open. */
export const todosIn = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, index) => (mark.test(line) ? [index + 1] : []));
