import { isParameterName, maxOutputBytes } from '../../../contract/system/script.ts';

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

/** Where a host keeps a run, for its user alone, until its end has come to us. */
const folderOf = (token: string): string => `"\${TMPDIR:-/tmp}/livecode-run-"${quote(token)}`;

/** What is left of runs whose end nobody came for. */
const keptDays = 8;

/**
 * Runs the script in the folder in which it lies, and needs nobody who listens: what is printed goes into `out`, of more than the bound its
 * last part into `last` and its size into `rest`, the exit status into `status`. What the script leaves in the background may hold its output
 * for ever, and is not waited for. What takes the output in does not end in peace with the rest: what was printed just before would be lost.
 */
const keeper = (dry: boolean): string => `folder=\${0%/*}
pump() {
  size=0
  : >"$folder/out"
  while [ "$size" -lt ${maxOutputBytes} ]; do
    dd bs=65536 count=1 2>/dev/null >>"$folder/out"
    now=$(($(wc -c <"$folder/out")))
    if [ "$now" -eq "$size" ]; then return; fi
    size=$now
  done
  LC_ALL=C dd bs=65536 2>"$folder/rest" | tail -c ${maxOutputBytes} >"$folder/last.part"
  mv "$folder/last.part" "$folder/last"
}
(trap '' TERM; pump <"$folder/pipe") &
pump=$!
printf '%s\\n' "$pump" >"$folder/pump"
/bin/sh ${dry ? '-n ' : ''}"$folder/script" </dev/null >"$folder/pipe" 2>&1
status=$?
i=0
while kill -0 "$pump" 2>/dev/null && [ "$i" -lt 20 ]; do sleep 0.1 2>/dev/null || sleep 1; i=$((i+1)); done
printf '%s\\n' "$status" >"$folder/status.part" && mv "$folder/status.part" "$folder/status"
`;

/**
 * What the shell is told first: to bear the token of the run, so that every process it starts does, and to name itself. Only when it has,
 * it is told what to run: a run that was ended before then never begins.
 */
export const announcement = (token: string): string =>
  [
    `LIVECODE_RUN=${quote(token)}; export LIVECODE_RUN`,
    // Before parameters may name another place.
    `livecode_folder=${folderOf(token)}`,
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

/**
 * What the shell is told then: variables, script and keeper as quoted words, and to start the keeper on its own. The script's own input is
 * empty; its text lies in a file, since arguments show in lists of processes.
 */
export function scriptInput({ body, environment, dry }: ScriptToRun): string {
  const assignments = Object.entries(environment).map(([name, value]) => {
    if (!isParameterName(name)) throw new Error('no name of a parameter');
    return `${name}=${quote(value)}; export ${name}`;
  });
  // Line breaks of other systems would be part of the last word of each line.
  const script = body.replaceAll('\r\n', '\n');
  return [
    '(umask 077 && mkdir "$livecode_folder" && mkfifo "$livecode_folder/pipe") || exit 1',
    `find "\${livecode_folder%/*}" -maxdepth 1 -name 'livecode-run-*' -user "$(id -u)" -mtime +${keptDays} -exec rm -rf {} + 2>/dev/null </dev/null`,
    `(umask 077; printf '%s\\n' ${quote(script)} >"$livecode_folder/script" && printf '%s' ${quote(keeper(dry))} >"$livecode_folder/keeper") || exit 1`,
    ...assignments,
    '/bin/sh "$livecode_folder/keeper" </dev/null >/dev/null 2>&1 &',
    `printf '%s\\n' "$!" >"$livecode_folder/pid"`,
    'exit 0',
    '',
  ].join('\n');
}

/**
 * Tells what a run prints from a place on, and how it ends, in frames: `out n`, `last n rest` and the bytes, `end status`, where the
 * status is empty for a run that ended without one, or `gone` for one that the host does not know. Of one that was ended, what it printed
 * is still taken in for a moment.
 */
export function followInput(token: string, from: number): string {
  if (!isToken(token) || !Number.isSafeInteger(from) || from < 0) throw new Error('no run of ours');
  return `
folder=${folderOf(token)}
say() { printf '\\036LIVECODE %s %s\\n' ${quote(token)} "$*"; }
size() { echo $(($(wc -c <"$1" 2>/dev/null || echo 0))); }
runs() {
  pid=$(cat "$folder/$1" 2>/dev/null)
  [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && { [ ! -r "/proc/$pid/environ" ] || grep -q -a 'LIVECODE_RUN=${token}' "/proc/$pid/environ"; }
}
if [ ! -d "$folder" ]; then say gone; exit; fi
at=${from}
over=
ended=0
while :; do
  if [ -f "$folder/status" ]; then over=yes
  elif ! runs pid; then
    if ! runs pump || [ "$ended" -ge 10 ]; then over=yes; fi
    ended=$((ended+1))
  fi
  now=$(size "$folder/out")
  if [ "$now" -gt "$at" ]; then
    say out $((now-at))
    tail -c "+$((at+1))" "$folder/out" | head -c $((now-at))
    at=$now
  fi
  if [ -n "$over" ]; then break; fi
  sleep 0.2 2>/dev/null || sleep 1
done
if [ -f "$folder/last" ]; then
  rest=$(sed -n 's/^\\([0-9][0-9]*\\) bytes.*/\\1/p' "$folder/rest")
  say last "$(size "$folder/last")" "\${rest:-$(size "$folder/last")}"
  cat "$folder/last"
fi
say end "$(cat "$folder/status" 2>/dev/null)"
`;
}

/** Removes what the host keeps of a run. */
export function forgetInput(token: string): string {
  if (!isToken(token)) throw new Error('no run of ours');
  return `rm -rf -- ${folderOf(token)}\n`;
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
