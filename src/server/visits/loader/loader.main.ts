import { readConfig } from '../../config.ts';
import { openLog } from '../../kit/log.ts';
import { journalFolder } from '../../kit/visits/journal/segment.ts';
import { startPictureKeeper } from '../../uploads/pictures/picture-keeper.public.ts';
import { createAgentCache } from '../facts/agent.ts';
import { openPlaces } from '../facts/place.ts';
import { startLoader } from './loader.ts';

const config = readConfig(process.env);
const log = await openLog('loader', config);
if (!config.databaseUrl) {
  log.fatal('DATABASE_URL is not set: the loader does not know where visits go');
  process.exit(1);
}

// The dictionary remembers what was described, so that few user agents are asked for twice.
const agents = createAgentCache(2_000);
const loader = startLoader({
  database_url: config.databaseUrl,
  folder: journalFolder(config.dataDir),
  facts: { placeOf: openPlaces().lookup, agentOf: agents.describe },
  log,
});

const { databaseUrl, dataDir, masterKey, allowedNetworks } = config;
const keeper = startPictureKeeper({ databaseUrl, dataDir, masterKey, allowedNetworks, log });

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([loader.stop(), keeper.stop()]);
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The parent is gone: the next start brings a loader of its own.
process.on('disconnect', stop);
process.send?.({ ready: true });
