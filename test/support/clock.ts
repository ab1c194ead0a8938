/** The clock of this process, for tests in which time has to pass: it stands still until it is moved. */
export interface TestClock {
  nowMs(): number;
  /** To an instant, forwards or backwards. */
  set(ms: number): void;
  restore(): void;
}

/** Takes the place of `Date` for everything in this process that asks it for the time; threads and the database keep their own. */
export function stopClock(startMs: number): TestClock {
  const Original = Date;
  let nowMs = startMs;
  const Stopped = new Proxy(Original, {
    construct: (target, values, as) => Reflect.construct(target, values.length === 0 ? [nowMs] : values, as) as object,
    get: (target, key) => (key === 'now' ? () => nowMs : Reflect.get(target, key)),
  });
  const install = (date: DateConstructor) => {
    globalThis.Date = date;
    Original.prototype.constructor = date;
  };
  install(Stopped);
  return { nowMs: () => nowMs, set: (ms) => void (nowMs = ms), restore: () => install(Original) };
}
