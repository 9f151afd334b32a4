import { afterAll } from 'vitest';
import { closeHouse } from './house/house.ts';
// In this order: the last one kills the house.
import './house/topics.ts';
import './house/traffic.ts';
import './house/learning.ts';

afterAll(closeHouse);
