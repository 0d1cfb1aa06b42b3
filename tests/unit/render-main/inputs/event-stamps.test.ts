import { afterEach, describe, expect, test, vi } from 'vitest';
import { EventStamps } from '../../../../src/render-main/inputs/input-source.js';
import { setClock } from './fakes.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an event's timestamp", () => {
  test('is kept, even if the event is handled later', () => {
    setClock(1000);
    expect(new EventStamps().of({ timeStamp: 990.5 })).toBe(990.5);
  });

  test.each([0, -5, NaN, 1001, 1.7e12])('is the time of handling instead of %d', (timeStamp) => {
    setClock(1000);
    expect(new EventStamps().of({ timeStamp })).toBe(1000);
  });

  test('never goes back', () => {
    setClock(1000);
    const stamps = new EventStamps();
    const returned = [980, 970, 990, 0, 995].map((timeStamp) => stamps.of({ timeStamp }));
    expect(returned).toEqual([980, 980, 990, 1000, 1000]);
    expect(stamps.now()).toBe(1000);
  });
});
