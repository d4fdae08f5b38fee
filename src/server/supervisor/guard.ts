// Loaded into every child before its own code: a child whose supervisor was killed ends too, instead of holding its port.
const graceMilliseconds = 10_000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), graceMilliseconds).unref();
});
// Waiting for that must not keep a child alive which has nothing else to do.
process.channel?.unref();
