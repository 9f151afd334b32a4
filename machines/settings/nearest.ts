/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
const editDistance = (one: string, other: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
};

/** The name most like `word`, or undefined when none differs by a third of its letters or fewer. */
export const nearestName = (word: string, names: Iterable<string>): string | undefined => {
  const typed = word.slice(0, 64).toLowerCase().replaceAll('-', '_');
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(typed, name);
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
};
