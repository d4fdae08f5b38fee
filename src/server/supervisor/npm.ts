const lookMilliseconds = 200;

/** npm that was killed cannot pass a signal on to what it started: then its end is the signal. */
export function stopWithNpm(): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookMilliseconds);
  timer.unref();
}
