import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before `--backup`: the disk of the backup is full after so many bytes, as long as the file FULL_DISK is there.
const sign = process.env.FULL_DISK ?? '';
let left = 200_000;

const isFull = (bytes) => {
  left -= bytes;
  return left < 0 && fs.existsSync(sign);
};
const refused = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });

if (process.argv.includes('--backup')) {
  const { write, writev } = fs;
  fs.write = (file, piece, ...rest) =>
    isFull(piece.length) ? process.nextTick(rest.at(-1), refused()) : write(file, piece, ...rest);
  fs.writev = (file, pieces, ...rest) =>
    isFull(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
      ? process.nextTick(rest.at(-1), refused())
      : writev(file, pieces, ...rest);
  syncBuiltinESMExports();
}
