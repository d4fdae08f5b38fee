import { useFallbackInterval } from '../../kit/socket/liveFigures.ts';

const runningMilliseconds = 1_000;
const toldMilliseconds = 5_000;

/** How often to ask for a check that is under way: the socket tells of its progress, and polling does where there is none. */
export const useProgressInterval = (isRunning: boolean): number | false =>
  useFallbackInterval(isRunning ? runningMilliseconds : false, toldMilliseconds);
