// Asks for the data folder at a given moment, says whether it got it, and holds it until its input ends.
import { lockDataFolder } from '../../kit/data-folder-lock.ts';

const [dataDir = '', at] = process.argv.slice(2);
while (Date.now() < Number(at)) {
  // Awake, so that several ask in the same millisecond.
}
const release = await lockDataFolder(dataDir, () => {}).catch(() => undefined);
console.log(release ? 'locked' : 'refused');
process.stdin.on('end', () => release?.()).resume();
