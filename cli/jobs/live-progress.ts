import { Box, render, Text } from 'ink';
import { createElement, type ReactElement } from 'react';
import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import { sparkLine } from '../spark-line.ts';
import { countText } from '../units.ts';
import type { Job } from './job.ts';
import { bestText, bytesText, percentText, phaseText, travelOverTime } from './progress-text.ts';
import type { ProgressView } from './watch-job.ts';

const barColumns = 30;
const sparkColumns = 40;
const tickMs = 500;

/** What is drawn: the last state of the job, and what was said to the watcher. */
export interface LiveState {
  job: Job | null;
  said: string;
  /** Since the last state came, so that the clock goes on between two events. */
  sinceSeconds: number;
}

/** A few lines on stderr that are drawn anew, so that stdout stays free for the data. */
export function liveProgress({ stderr, env, clock }: Pick<Context, 'stderr' | 'env' | 'clock'>): ProgressView {
  let state: LiveState = { job: null, said: '', sinceSeconds: 0 };
  let cameAtMs = clock.nowMs();
  const hasColour = !env.NO_COLOR;
  // Ctrl-C stays a signal, because nothing is read from the keyboard.
  const screen = render(createElement(Progress, { state, hasColour }), { stdout: stderr as NodeJS.WriteStream, exitOnCtrlC: false, patchConsole: false, interactive: true });
  const draw = (change: Partial<LiveState>) => {
    state = { ...state, ...change };
    screen.rerender(createElement(Progress, { state, hasColour }));
  };
  const ticking = setInterval(() => { draw({ sinceSeconds: (clock.nowMs() - cameAtMs) / 1000 }); }, tickMs);
  return {
    show(job) {
      cameAtMs = clock.nowMs();
      draw({ job, sinceSeconds: 0 });
    },
    say: (said) => { draw({ said }); },
    async close() {
      clearInterval(ticking);
      await screen.waitUntilRenderFlush();
      screen.unmount();
      await screen.waitUntilExit();
    },
  };
}

/** The view itself, a function of the state. */
export function Progress({ state: { job, said, sinceSeconds }, hasColour }: { state: LiveState; hasColour: boolean }): ReactElement {
  if (!job) return createElement(Text, null, said || 'waiting for the job…');
  const { progress, status } = job;
  const travels = travelOverTime(job);
  const done = Math.round(progress.fraction * barColumns);
  const elapsed = Math.floor((progress.elapsed_seconds ?? 0) + (status === 'running' ? sinceSeconds : 0));
  const colour = (name: string) => (hasColour ? { color: name } : {});
  return createElement(Box, { flexDirection: 'column' },
    line('head', text('bar', '█'.repeat(done), colour('green')), text('rest', '░'.repeat(barColumns - done), { dimColor: hasColour }), text('told', ` ${percentText(job)}  ${clockOf(elapsed)}  ${visible(phaseText(job))}`)),
    bytesText(job) === '' ? null : line('bytes', text('told', bytesText(job))),
    progress.best ? line('best', text('told', `best so far: ${bestText(progress.best)}${iterationsText(progress.best.iterations)}`)) : null,
    travels.length > 1 ? line('spark', text('told', 'travel '), text('line', sparkLine(travels, sparkColumns), colour('cyan'))) : null,
    progress.message !== '' && progress.message !== progress.phase ? line('message', text('told', visible(progress.message), { dimColor: hasColour })) : null,
    said === '' ? null : line('said', text('told', said, colour('yellow'))));
}

const text = (key: string, content: string, props: { color?: string; dimColor?: boolean } = {}) => createElement(Text, { key, ...props }, content);
const line = (key: string, ...parts: ReactElement[]) => createElement(Text, { key, wrap: 'truncate' }, ...parts);
const iterationsText = (iterations: number | undefined) => (iterations ? `  (${countText(iterations)} iterations)` : '');
const clockOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
