import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the simulators of a demo listen, from the first port on. */
export const simulatorPorts = (base: number) => ({
  overview: base,
  gateway: base + 1,
  apis: base + 2,
  telegram: base + 3,
  robots: base + 4,
  mails: base + 5,
  smtp: base + 6,
});

/** What a demo speaks to instead of others' servers: from which port on, the token of its bot, and the hosts that are blocked at first. */
export type DemoSimulators = { port: number; token: string; blocked: string[] };

const fileOf = (dataDir: string) => join(dataDir, 'simulators.json');

/** Every start of a data folder with demo data starts its simulators, whose addresses are among its settings. */
export const keepSimulators = (dataDir: string, simulators: DemoSimulators): void =>
  writeFileSync(fileOf(dataDir), JSON.stringify(simulators), { mode: 0o600 });

/** undefined for a folder without demo data. */
export function readSimulators(dataDir: string): DemoSimulators | undefined {
  const file = fileOf(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoSimulators) : undefined;
}
