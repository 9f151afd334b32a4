/** FNV-1a, 32 bits. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Hue of a pipeline's colour, 0 to 359: the same on every panel. Null is the preferred one, not known yet. */
export function pipelineHue(id: string | null): number {
  let hash = BASIS;
  for (const letter of id ?? '') hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), PRIME);
  return (hash >>> 0) % 360;
}
