/** Indices are packed into the lower bits of a number: sorting numbers is many times faster with no comparator. */
const INDICES = 16_384;

/** Steps of a sorted value; with 14 bits for an index, values up to 500,000 are exact in a number. */
const STEPS = 1e6;

/** The indices (below 16384) in the order of their values (0 to 100,000, told apart from 0.000001 on). */
export function sortedIndices(indices: Uint16Array, values: Float64Array): Uint16Array {
  const packed = new Float64Array(indices.length);
  for (let place = 0; place < packed.length; place += 1) {
    const index = indices[place] ?? 0;
    packed[place] = Math.round((values[index] ?? 0) * STEPS) * INDICES + index;
  }
  packed.sort();
  const sorted = new Uint16Array(packed.length);
  for (let place = 0; place < packed.length; place += 1) sorted[place] = (packed[place] ?? 0) % INDICES;
  return sorted;
}

/** The values of the indices, in their order. */
export function pick(values: Float64Array, indices: Uint16Array): Float64Array {
  const picked = new Float64Array(indices.length);
  for (let place = 0; place < picked.length; place += 1) picked[place] = values[indices[place] ?? 0] ?? 0;
  return picked;
}

function middleOfThree(first: number, second: number, third: number): number {
  return Math.max(Math.min(first, second), Math.min(Math.max(first, second), third));
}

/** Moves the values so that the one at `rank` is where a sort would put it, with none above it before (quickselect). */
function select(values: Float64Array, rank: number): number {
  const at = (index: number): number => values[index] ?? 0;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = middleOfThree(at(low), at((low + high) >> 1), at(high));
    let left = low;
    let right = high;
    while (left <= right) {
      while (at(left) < pivot) left += 1;
      while (at(right) > pivot) right -= 1;
      if (left > right) break;
      const moved = at(left);
      values[left] = at(right);
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return at(rank);
}

/** The median, the mean of the middle two of an even number; null of nothing. Changes the order of `values`. */
export function medianOf(values: Float64Array): number | null {
  const { length } = values;
  if (length === 0) return null;
  const half = length >> 1;
  const upper = select(values, half);
  if (length % 2 === 1) return upper;
  let lower = values[0] ?? upper;
  for (let index = 1; index < half; index += 1) lower = Math.max(lower, values[index] ?? lower);
  return (lower + upper) / 2;
}

/** First index at which `sorted` is not below `value`; its length if there is none. */
export function firstFrom(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
