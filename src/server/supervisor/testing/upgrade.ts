// Brings a database to a folder's last migration as the supervisor does, so that a test can kill it on the way.
import { migrate } from '../../kit/postgres/migrate.ts';
import { isUnreachable, retryWhile } from '../database.ts';

const [url = '', folder = ''] = process.argv.slice(2);
process.send?.('begins');
await retryWhile(
  isUnreachable,
  () => migrate(url, folder),
  () => false,
  () => {},
);
process.disconnect();
