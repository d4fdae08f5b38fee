import { isParameterName } from '../../../contract/system/script.ts';

/**
 * The one way that a text enters shell code: as a word in single quotes, in which no shell finds anything to act on. NUL, which no word can
 * hold, is refused.
 */
export function quote(text: string): string {
  if (text.includes('\0')) throw new Error('a shell word cannot hold NUL');
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Of our own making: what the processes of a run are known by. */
export const isToken = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/**
 * What the shell is told first: to bear the token of the run, so that every process it starts does, and to name itself. Only when it has,
 * it is told what to run: a run that was ended before then never begins.
 */
export const announcement = (token: string): string =>
  [
    `LIVECODE_RUN=${quote(token)}; export LIVECODE_RUN`,
    'livecode_group=$(ps -o pgid= -p $$ 2>/dev/null </dev/null | tr -d " ")',
    'if [ -z "$livecode_group" ] && [ -r "/proc/$$/stat" ]; then livecode_group=$(sed "s/.*) //" "/proc/$$/stat" | cut -d " " -f 3); fi',
    `printf '\\036LIVECODE %s %s %s\\n' ${quote(token)} "$$" "$livecode_group"`,
    '',
  ].join('\n');

/** Finds the announcement of this token in what was printed: whatever logins print stands before it. */
export function readAnnouncement(
  text: string,
  token: string,
): { before: string; after: string; group: number | null; pid: number } | undefined {
  const found = new RegExp(`\\x1eLIVECODE ${token} (\\d{1,9}) (\\d{0,9})\\n`).exec(text);
  if (!found) return undefined;
  const [pid, group] = [Number(found[1]), Number(found[2])];
  // Of a group that the shell does not lead others are members.
  const isLeader = group === pid && pid > 1;
  return { before: text.slice(0, found.index), after: text.slice(found.index + found[0].length), group: isLeader ? group : null, pid };
}

export type ScriptToRun = {
  body: string;
  /** Environment variables by their names. */
  environment: Record<string, string>;
  /** The shell only reads the script, and runs nothing of it. */
  dry: boolean;
};

/** What the shell is told then: variables and the script as quoted words, and what to do with them. The script's own input is empty. */
export function scriptInput({ body, environment, dry }: ScriptToRun): string {
  const assignments = Object.entries(environment).map(([name, value]) => {
    if (!isParameterName(name)) throw new Error('no name of a parameter');
    return `${name}=${quote(value)}; export ${name}`;
  });
  // Line breaks of other systems would be part of the last word of each line.
  const script = body.replaceAll('\r\n', '\n');
  const run = dry ? `printf '%s\\n' "$livecode_script" | /bin/sh -n` : `{ eval "$livecode_script"; } </dev/null`;
  return [...assignments, `livecode_script=${quote(script)}`, run, ''].join('\n');
}

/** The group that the shell leads; of a shell that leads none, itself, where it is known. */
export type Processes = { token: string; group: number | null; pid?: number };

/**
 * Ends a run on its host: the process group and whatever bears the token in its environment, wherever it went; first in peace, after some
 * seconds by force. Prints `left` or `none`.
 */
export function endingInput({ token, group, pid }: Processes): string {
  const number = group ?? pid;
  if (!isToken(token) || (number !== undefined && !(Number.isSafeInteger(number) && number > 1))) throw new Error('no processes of ours');
  return `
unset LIVECODE_RUN
group=${group === null ? (pid ?? '') : `-${group}`}
marked() { grep -l -a 'LIVECODE_RUN=${token}' /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3; }
alive() { { [ -n "$group" ] && kill -0 -- "$group" 2>/dev/null; } || [ -n "$(marked)" ]; }
end() {
  if [ -n "$group" ]; then kill -s "$1" -- "$group" 2>/dev/null; fi
  for pid in $(marked); do kill -s "$1" "$pid" 2>/dev/null; done
}
wait_for() { i=0; while alive && [ $i -lt "$1" ]; do sleep 0.2 2>/dev/null || sleep 1; i=$((i+1)); done; }
end TERM; wait_for 15
if alive; then end KILL; wait_for 10; fi
if alive; then echo left; else echo none; fi
`;
}
