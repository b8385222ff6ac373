// Imported by what another process started: ends this one when that is gone. Nobody else would tell it: npm passes SIGHUP on
// to nobody, and what is killed cannot pass on anything.
const parent = process.ppid;
const lookAgainMs = 1_000;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, lookAgainMs).unref();
