import { readConfig } from '../../config.ts';
import { collectWhileIdle } from '../../kit/idle-memory.ts';
import { openLog } from '../../kit/log.ts';
import { shareMetrics } from '../../kit/metrics/exchange.ts';
import { measureProcess, renderMetricList } from '../../kit/metrics/metrics.ts';
import { openPool } from '../../kit/postgres/database.ts';
import { journalFolder } from '../../kit/visits/journal/segment.ts';
import { startSampler } from '../../monitor/sampler.public.ts';
import { startPictureKeeper } from '../../uploads/pictures/picture-keeper.public.ts';
import { createAgentCache } from '../facts/agent.ts';
import type { ModelName } from '../facts/models.ts';
import { NOWHERE, type PlaceReader } from '../facts/place.ts';
import { createPlaceKeeper } from '../facts/place-keeper.ts';
import { readModelNames } from '../facts/versions.ts';
import { readProgress } from '../maintenance/loader-progress.ts';
import { startLoader } from './loader.ts';

const config = readConfig(process.env);
const log = await openLog('loader', config);
if (!config.databaseUrl) {
  log.fatal('DATABASE_URL is not set: the loader does not know where visits go');
  process.exit(1);
}

// The dictionary remembers what was described, so that few user agents are asked for twice.
const names = new Map<string, ModelName>();
const agents = createAgentCache(2_000, names);
const placeKeeper = createPlaceKeeper();
/** Read before the first batch, and anew when a batch finds that lists or corrections changed. */
let places: PlaceReader | undefined;
const loader = startLoader({
  database_url: config.databaseUrl,
  folder: journalFolder(config.dataDir),
  facts: {
    placeOf: (ip) => places?.lookup(ip) ?? NOWHERE,
    agentOf: agents.describe,
    async renew(client, changed) {
      if (changed.includes('place'))
        places = await placeKeeper.reader(
          (text) => client.query(text),
          (fault) => log.error({ fault }, 'a list of addresses cannot be used: places are those of the built-in lists'),
        );
      if (!changed.includes('device')) return;
      await readModelNames(client, names);
      agents.clear();
    },
  },
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
const measured = measureProcess();
const { all } = shareMetrics(async () => {
  const counted = await readProgress(databaseUrl ?? '').catch(() => undefined);
  return renderMetricList([...measured(), ...(counted ?? [])]);
});
// A host without a back office tells of itself all the same.
if (!config.roles.includes('web'))
  startSampler({ pool: openPool(config.databaseUrl, log, 1, 'livecode metrics'), all, dataDir, port: config.visitPort, log });
collectWhileIdle();
process.send?.({ ready: true });
