import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '#routes/app.ts';
import { createSharedPicture } from '#routes/kit/shared-picture.ts';
import { depsIn } from '#test/fakes/renderer.ts';

test('viewers of one page share a picture, also one that is being taken, for five seconds', async () => {
  let now = 0;
  let taken = 0;
  const share = createSharedPicture(
    () => Promise.resolve((taken += 1)),
    () => now,
  );
  expect(await Promise.all(Array.from({ length: 10 }, () => share('home')))).toEqual(
    Array.from({ length: 10 }, () => 1),
  );
  now = 5_000;
  expect(await share('home')).toBe(1);
  expect(await share('other')).toBe(2);
  expect(await share('home')).toBe(3);
  now = 10_001;
  expect(await share('home')).toBe(4);
});

test('no picture is kept once it is too old to share', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let taken = 0;
  const share = createSharedPicture(
    () => Promise.resolve((taken += 1)),
    () => 0,
  );
  expect(await share('home')).toBe(1);
  vi.advanceTimersByTime(4_000);
  expect(await share('other')).toBe(2);
  vi.advanceTimersByTime(2_000);
  expect(await share('other')).toBe(2);
  vi.advanceTimersByTime(4_000);
  expect(await share('other')).toBe(3);
});

test('a failure of an older picture drops no newer one', async () => {
  let fail = (): void => {};
  let taken = 0;
  const share = createSharedPicture(
    () =>
      (taken += 1) === 1
        ? new Promise<number>((_, no) => (fail = () => no(new Error('gone'))))
        : Promise.resolve(taken),
    () => 0,
  );
  const first = share('home');
  expect(await share('other')).toBe(2);
  fail();
  await expect(first).rejects.toThrow('gone');
  expect(await share('other')).toBe(2);
});

test('a picture that fails unexpectedly is taken again', async () => {
  let taken = 0;
  const share = createSharedPicture(
    () => (taken++ === 0 ? Promise.reject(new Error('gone')) : Promise.resolve(taken)),
    () => 0,
  );
  await expect(share('home')).rejects.toThrow('gone');
  expect(await share('home')).toBe(2);
});

test('a picture that fails late does not end the sharing of a newer one', async () => {
  let taken = 0;
  let reject: (error: Error) => void = () => {};
  const failing = new Promise<number>((_, refuse) => (reject = refuse));
  const share = createSharedPicture(
    () => (taken++ === 0 ? failing : Promise.resolve(taken)),
    () => 0,
  );
  const first = share('home');
  expect(await share('other')).toBe(2);
  reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(await share('other')).toBe(2);
});

test('the route shares only on request', async () => {
  const deps = depsIn('showing');
  const app = createApp(deps);
  const get = (query: string): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(`http://panel.invalid/api/v1/screenshot.png${query}`), {}));
  deps.registry.answer = () => ({ ok: true, value: { ok: true, png: Buffer.from('png') } });
  const answers = await Promise.all([get('?shared=true'), get('?shared=true'), get(''), get('?shared=false')]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['png', 'png', 'png', 'png']);
  expect(deps.registry.told.map(({ event }) => event.type)).toEqual(
    Array.from({ length: 3 }, () => 'renderer.screenshot'),
  );
  expect((await get('?shared=maybe')).status).toBe(400);
});
