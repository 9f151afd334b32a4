import { ago, exact } from '../strings/times.ts';

/** A moment as "3 min ago"; a tap shows the exact time. `now` is the moment of drawing (epoch milliseconds). */
export const Moment = ({ at, now }: { readonly at: number; readonly now: number }) => (
  <button type="button" class="moment" data-at={at} title={exact(at)}>
    {ago(at, now)}
  </button>
);
