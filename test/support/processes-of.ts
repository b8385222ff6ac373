import { readdir, readFile } from 'node:fs/promises';

interface FoundProcess {
  pid: number;
  command: string;
}

/** The living processes whose command line or environment names one of the folders (on Linux). */
export async function processesOf(...folders: string[]): Promise<FoundProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const all = pids.map(async (pid) => {
    const text = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    const [command, environment] = await Promise.all([text('cmdline'), text('environ')]);
    const isTheirs = folders.some((folder) => `${command}${environment}`.includes(folder));
    return { pid: Number(pid), command: command.replaceAll('\0', ' '), isTheirs };
  });
  return (await Promise.all(all)).filter(({ isTheirs }) => isTheirs);
}
