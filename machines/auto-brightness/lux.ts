/** ln(1 + lx), in which the model works: equal steps look alike to the eye. */
export const logOf = (lux: number): number => Math.log1p(lux);

/** Lux of such a logarithm, never negative. */
export const luxOf = (log: number): number => Math.max(0, Math.expm1(log));
