import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isDiskFull } from '../kit/files.ts';
import { StartError } from '../kit/start-error.ts';
import { strippedSources } from '../kit/stripped.ts';

/** What is left of an error on its way to another process. `code` is Node's or PostgreSQL's; an expected one is said without its stack. */
export type Fault = { message: string; stack: string; code: string; isExpected: boolean };
/** Messages between processes leave out what is undefined: without a fault all went well. */
export type Prepared = { password?: string | undefined } | { fault: Fault };

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof StartError) return codeOf(error.cause);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function describeFault(error: unknown): Fault {
  const shown = error instanceof AggregateError ? error.errors[0] : error;
  const { message, stack = '' } = shown instanceof Error ? shown : new Error(String(shown));
  return { message, stack, code: codeOf(error), isExpected: error instanceof StartError || isDiskFull(error) };
}

function errorOf({ message, stack, code, isExpected }: Fault): Error {
  const cause = Object.assign(new Error(message), { stack, code });
  return isExpected ? new StartError(message, { cause }) : cause;
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Runs `prepare.ts` on the database; answers the first administrator's generated password, at the first start only.
 * @throws what failed there, with its code
 */
export async function prepareDatabase(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn(process.execPath, [...strippedSources, '--import', program('./guard.ts'), program('../prepare.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let answer: Prepared | undefined;
  child.once('message', (message) => {
    answer = message as Prepared;
  });
  const [code, signal] = await once(child, 'close');
  if (!answer) throw new Error(`The database could not be prepared (${signal ?? `code ${code}`}).`);
  if ('fault' in answer) throw errorOf(answer.fault);
  return answer.password;
}
