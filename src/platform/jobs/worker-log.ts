import { Logger as NestLogger } from '@nestjs/common';
import { Logger, type LogFunctionFactory } from 'graphile-worker';

/** The log of the job queue. It leaves out the library's details, which hold the jobs' payloads. */
export const jobsLog = new NestLogger('jobs');

const write: LogFunctionFactory = () => (level, message) => {
  const [line = ''] = message.split('\n');
  const named: string = level;
  if (named === 'error') jobsLog.error(line);
  else if (named === 'warning') jobsLog.warn(line);
  else jobsLog.debug(line);
};

export const workerLogger = new Logger(write);
