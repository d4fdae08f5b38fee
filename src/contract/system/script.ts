import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, line, text, time, timestamps } from '../kit/fields.ts';
import { maxBytesKey } from '../kit/json.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { operationStates } from './async-operations.ts';
import { chosenServers, startedRun } from './server-list.ts';

export const parameterTypes = ['text', 'number', 'choice', 'boolean', 'secret'] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** What shells, loaders and interpreters act on by themselves: no parameter is called so. */
const reservedNames =
  /^(PATH|HOME|SHELL|USER|LOGNAME|PWD|OLDPWD|IFS|ENV|PS[0-9]|CDPATH|PERL.*|PYTHON.*|NODE_.*|NPM_.*|RUBY.*|JAVA_.*|GIT_.*|SSH_.*|LD_.*|DYLD_.*|BASH.*|SHELLOPTS|GLOBIGNORE|PROMPT_COMMAND|LC_.*|LANG|TMPDIR|EDITOR|PAGER|LIVECODE_.*)$/;
export const isParameterName = (name: string): boolean => /^[A-Z][A-Z0-9_]{0,39}$/.test(name) && !reservedNames.test(name);
export const maxParameterValue = 10_000;
/** Stands for the value of a secret parameter; a schedule that is sent back with it, or with nothing, keeps the value. */
export const secretMask = '••••••••';

const value = text(maxParameterValue);
export const scriptParameter = z.object({
  /** The environment variable that the script finds it in. */
  name: z.string().max(40).refine(isParameterName, 'parameter_name'),
  label: line(60),
  type: z.enum(parameterTypes),
  required: z.boolean(),
  /** Empty for none, and of a secret; `true` or `false` of a boolean. */
  initial: value,
  /** Of a choice. */
  choices: z.array(line(200).min(1, 'required')).max(50),
});
export type ScriptParameter = z.infer<typeof scriptParameter>;

/** What a parameter is wrong for, or undefined: the same for forms and the server. */
export function parameterFault({ type, required, choices }: ScriptParameter, given: string): string | undefined {
  if (given === '') return required ? 'required' : undefined;
  if (given.length > maxParameterValue) return 'too_long';
  if (/\0|\p{Cs}/u.test(given)) return 'invalid_characters';
  if (type === 'number' && !/^-?\d{1,15}(\.\d{1,10})?$/.test(given)) return 'parameter_number';
  if (type === 'boolean' && given !== 'true' && given !== 'false') return 'parameter_choice';
  if (type === 'choice' && !choices.includes(given)) return 'parameter_choice';
  return undefined;
}

const body = text(50_000).min(1, 'required');
const timeout_seconds = z.number().int().min(1).max(21_600);
const maxParameters = 20;
const parameters = z.array(scriptParameter).max(maxParameters);
const fields = {
  name: line(64).min(1, 'required'),
  remark: line(200).optional(),
  body,
  timeout_seconds: timeout_seconds.optional(),
  parameters: parameters.optional(),
};
/** Texts of several bytes a character, escaped. */
const scriptBody = 1_500_000;

const script = z.object({
  id,
  name: z.string(),
  remark: z.string(),
  body: z.string(),
  timeout_seconds: z.number(),
  parameters: z.array(scriptParameter),
  version: z.number(),
  /** When it was last run, and how that ended. */
  last_run_id: id.nullable(),
  last_run_at: time.nullable(),
  /** How many schedules run it. */
  schedules: count,
  ...timestamps,
});
export type Script = z.infer<typeof script>;

const scriptVersion = z.object({
  version: z.number(),
  body: z.string(),
  timeout_seconds: z.number(),
  parameters: z.array(scriptParameter),
  account: z.string().nullable(),
  created_at: time,
});
export type ScriptVersion = z.infer<typeof scriptVersion>;

export const runKinds = ['script', 'update_front', 'update_back', 'update_code'] as const;
export type RunKind = (typeof runKinds)[number];

/** `interrupted`: it ended without an exit status, and what was left of it on the host was ended. `skipped`: another server failed before. */
export const runServerStates = [
  'waiting',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'unreachable',
  'interrupted',
  'skipped',
] as const;
export type RunServerState = (typeof runServerStates)[number];
/** Kept of what one server prints in one run, from its beginning, and as much from its end. */
export const maxOutputBytes = 2 ** 20;
export const keptRunDays = 90;
export const keptRuns = 1_000;

const runServer = z.object({
  id,
  server_id: id.nullable(),
  server_name: z.string(),
  host: z.string(),
  state: z.enum(runServerStates),
  exit_status: z.number().nullable(),
  exit_signal: z.string().nullable(),
  error: z.string().nullable(),
  output_bytes: count,
  /** More was printed than is kept. */
  is_cut: z.boolean(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
});
export type RunServer = z.infer<typeof runServer>;

const runFields = {
  id,
  kind: z.enum(runKinds),
  script_id: id.nullable(),
  script_name: z.string(),
  version: z.number().nullable(),
  dry: z.boolean(),
  timeout_seconds: z.number(),
  parallel: z.number(),
  stop_on_failure: z.boolean(),
  account: z.string(),
  /** That it was run by; null where somebody ran it, or the schedule is gone. */
  schedule_id: id.nullable(),
  schedule_name: z.string().nullable(),
  operation_id: id.nullable(),
  /** Of its operation; null where that is no longer kept. */
  operation_state: z.enum(operationStates).nullable(),
  created_at: time,
};
/** How many servers are in which state. */
const run = z.object({ ...runFields, states: z.partialRecord(z.enum(runServerStates), count) });
export type ScriptRun = z.infer<typeof run>;
const runDetails = z.object({ ...runFields, environment: z.record(z.string(), z.string()), servers: z.array(runServer) });
export type ScriptRunDetails = z.infer<typeof runDetails>;

const output = z.object({
  /** Goes on after this number. */
  last: count,
  content: z.string(),
  /** There is more to ask for at once. */
  more: z.boolean(),
});

/** By the names of the parameters. */
export const parameterValues = z
  .record(z.string().max(40), value)
  .refine((values) => Object.keys(values).length <= maxParameters, 'too_many')
  .meta({ [maxBytesKey]: maxParameters * (maxParameterValue + 60) * 6 });

const runInput = z.object({
  id,
  values: parameterValues.optional(),
  ...chosenServers,
  /** Shows what would run where, and checks the syntax on the hosts. */
  dry: z.boolean().optional(),
});
/** Content of socket messages of type 21: a run went on, and what of it is asked for. */
export const scriptRunNews = z.object({ run_id: id });

export const scriptGroup = group('script', {
  inquire: call({
    summary: 'List scripts.',
    access: requireAny('script', 'server_list.run'),
    input: listInput(['id', 'name', 'updated_at'], { name: z.string().max(64).optional() }),
    output: pageOf(script),
  }),
  add: call({
    summary: 'Add a script, with password and second factor.',
    access: requireAny('script.add'),
    proved: { super_only: true },
    input: z.object(fields),
    output: script,
    bodyLimit: scriptBody,
    limit: { max: 60, seconds: 60 },
  }),
  update: call({
    summary: 'Change a script, with password and second factor: another body, time-out or parameters make a new version.',
    access: requireAny('script.update'),
    proved: { super_only: true },
    input: z.object({ id, ...z.object(fields).partial().shape }),
    output: script,
    bodyLimit: scriptBody,
    limit: { max: 60, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove a script and its versions, with password and second factor. Its runs are kept.',
    access: requireAny('script.remove'),
    proved: { super_only: true },
    input: z.object({ id }),
    output: done,
    limit: { max: 60, seconds: 60 },
  }),
  versions: call({
    summary: 'All versions of a script, the newest first.',
    access: requireAny('script'),
    input: z.object({ id, ...listInput(['version'], {}).shape }),
    output: pageOf(scriptVersion),
  }),
  run: call({
    summary: 'Run a script on servers, with password and second factor; a dry run needs neither.',
    access: requireAny('script.run', 'server_list.run'),
    proved: { super_only: true, unless: { dry: true } },
    input: runInput,
    output: startedRun,
    limit: { max: 60, seconds: 60 },
  }),
  cancel: call({
    summary: 'End a run: processes on the servers are ended, servers that wait are left out.',
    access: requireAny('script.run', 'server_list.run'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
  runs: call({
    summary: 'List runs of scripts and updates.',
    access: requireAny('script', 'server_list'),
    input: listInput(['id', 'created_at'], {
      ...{ script_id: id.optional(), server_id: id.optional(), schedule_id: id.optional() },
      kind: z.enum(runKinds).optional(),
    }),
    output: pageOf(run),
  }),
  run_details: call({
    summary: 'One run with its servers.',
    access: requireAny('script', 'server_list'),
    input: z.object({ id }),
    output: runDetails,
  }),
  run_body: call({
    summary: 'What one server was given to run.',
    access: requireAny('script', 'server_list'),
    input: z.object({ run_server_id: id }),
    output: z.object({ body: z.string() }),
  }),
  output: call({
    summary: 'What one server printed in a run, from a place on.',
    access: requireAny('script', 'server_list'),
    input: z.object({ run_server_id: id, after: count.max(1_000_000).optional() }),
    output,
  }),
});
