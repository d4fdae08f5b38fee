import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, line, text, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

export const serverAuths = ['key', 'password'] as const;
export type ServerAuth = (typeof serverAuths)[number];

/** `refused`: it answers, and does not take our login. `key_changed`: it shows another host key than the pinned one. */
export const serverStates = ['unknown', 'online', 'offline', 'refused', 'key_changed'] as const;
export type ServerState = (typeof serverStates)[number];

/** What is run for "update front-end", "update back-end" and "update code" where nothing else was typed. */
export const defaultCommands = {
  front_command: 'cd ~/livecode\nnpm ci\nnpm run build\n',
  back_command: 'cd ~/livecode\nnpm ci\nsudo -n systemctl restart livecode\n',
  code_command: 'cd ~/livecode\ngit pull --ff-only\n',
} as const;
export type CommandField = keyof typeof defaultCommands;

/** Host names and addresses; nothing that a program could take for an option. */
const host = line(253)
  .min(1, 'required')
  .regex(/^([a-z0-9_]([a-z0-9_.-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i, 'invalid_host');
const port = z.number().int().min(1).max(65_535);
const ssh_user = line(64).min(1, 'required');
const command = text(20_000).min(1, 'required');
const fingerprint = z
  .string()
  .max(50)
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'invalid_format');

/** What a server is logged in to with; it is never sent back. */
const credentials = { private_key: text(20_000).optional(), passphrase: text(500).optional(), ssh_password: text(500).optional() };

export const maxRunServers = 50;
export const maxParallel = 20;
/** Where something is run, on how many servers at once, and whether a failure leaves out those that wait. */
export const chosenServers = {
  server_ids: z.array(id).min(1, 'required').max(maxRunServers),
  parallel: z.number().int().min(1).max(maxParallel).optional(),
  stop_on_failure: z.boolean().optional(),
};
export const startedRun = z.object({ run_id: id, operation_id: id });

const fields = {
  name: line(64).min(1, 'required'),
  host,
  port: port.optional(),
  ssh_user,
  auth: z.enum(serverAuths),
  front_command: command.optional(),
  back_command: command.optional(),
  code_command: command.optional(),
};

const bytes = count.nullable();
/** What a server tells of itself; null where it does not know how to. */
export const serverFigures = z.object({
  cpus: count.nullable(),
  load_1: z.number().nullable(),
  load_5: z.number().nullable(),
  load_15: z.number().nullable(),
  memory_total: bytes,
  memory_used: bytes,
  disk_total: bytes,
  disk_used: bytes,
  booted_at: time.nullable(),
  /** By what they are versions of: `os`, `kernel`, `node` and the like. */
  versions: z.record(z.string(), z.string()),
});
export type ServerFigures = z.infer<typeof serverFigures>;

/** An hour of checks; null where none was made. */
const uptimeHour = z.object({ hour: time, checks: count, answered: count });
export const uptimeHours = 48;

const server = z.object({
  id,
  name: z.string(),
  host: z.string(),
  port: z.number(),
  ssh_user: z.string(),
  auth: z.enum(serverAuths),
  host_key: z.string().nullable(),
  host_key_type: z.string().nullable(),
  host_key_at: time.nullable(),
  /** Another key that the host showed since. */
  offered_key: z.string().nullable(),
  front_command: z.string(),
  back_command: z.string(),
  code_command: z.string(),
  state: z.enum(serverStates),
  /** Why the last check failed, in the caller's language. */
  error: z.string().nullable(),
  checked_at: time.nullable(),
  figures: serverFigures.nullable(),
  /** The last hours, oldest first; hours without a check are left out. */
  hours: z.array(uptimeHour),
  /** The share of checks of thirty days that were answered. */
  uptime: z.number().nullable(),
  /** How many schedules run scripts on it. */
  schedules: count,
  ...timestamps,
});
export type Server = z.infer<typeof server>;

/** Runs what each of the servers has for it, as scripts are run. */
const update = (node: 'server_list.update_front' | 'server_list.update_back' | 'server_list.update_code', what: string) =>
  call({
    summary: `Update ${what} on servers, with password and second factor; a dry run needs neither.`,
    access: requireAny(node),
    proved: { super_only: true, unless: { dry: true } },
    input: z.object({ ...chosenServers, dry: z.boolean().optional() }),
    output: startedRun,
    limit: { max: 60, seconds: 60 },
  });

const tested = z.object({
  state: z.enum(serverStates),
  error: z.string().nullable(),
  host_key: z.string().nullable(),
  milliseconds: count,
});

export const serverList = group('server_list', {
  inquire: call({
    summary: 'List servers with what they told last.',
    access: requireAny('server_list', 'script'),
    input: listInput(['id', 'name', 'state', 'checked_at'], {
      search: z.string().max(100).optional(),
      state: z.enum(serverStates).optional(),
    }),
    output: pageOf(server),
  }),
  add: call({
    summary: 'Add a server, with password and second factor. Its host key is pinned by the first connection.',
    access: requireAny('server_list.add'),
    proved: { super_only: true },
    input: z.object({ ...fields, ...credentials }),
    output: server,
    secrets: ['private_key', 'passphrase', 'ssh_password'],
    limit: { max: 60, seconds: 60 },
  }),
  update: call({
    summary: 'Change a server, with password and second factor. Another host or port forgets the pinned key.',
    access: requireAny('server_list.update'),
    proved: { super_only: true },
    input: z.object({ id, ...z.object(fields).partial().shape, ...credentials }),
    output: server,
    secrets: ['private_key', 'passphrase', 'ssh_password'],
    limit: { max: 60, seconds: 60 },
  }),
  test: call({
    summary: 'Connect to a server now and read how it does.',
    access: requireAny('server_list.update'),
    machines: false,
    input: z.object({ id }),
    output: tested,
    limit: { max: 60, seconds: 60 },
  }),
  pin: call({
    summary: 'Trust another host key from now on, with password and second factor: exactly the one that was shown.',
    access: requireAny('server_list.update'),
    proved: { super_only: true },
    input: z.object({ id, host_key: fingerprint }),
    output: server,
    limit: { max: 60, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove a server, with password and second factor. Its runs are kept.',
    access: requireAny('server_list.remove'),
    proved: { super_only: true },
    input: z.object({ id }),
    output: done,
    limit: { max: 60, seconds: 60 },
  }),
  update_front: update('server_list.update_front', 'the front end'),
  update_back: update('server_list.update_back', 'the back end'),
  update_code: update('server_list.update_code', 'the code'),
});
