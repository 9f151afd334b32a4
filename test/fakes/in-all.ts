import { it, type TestFunction } from 'vitest';
import { amount } from './amount.ts';

/** A test of `bin/test all` alone: it takes long, and a plain run has others that would notice most of it. */
export const inAll = amount<(name: string, run: TestFunction, timeoutMs?: number) => void>(() => {}, it);
