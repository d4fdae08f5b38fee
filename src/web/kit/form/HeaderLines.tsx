import { Input } from 'antd';
import { useState } from 'react';
import type { ControlProps } from './controls.tsx';

/** As documentations write it; the same in every language. */
const example = 'Authorization: Bearer {key}';

type Header = { name: string; value: string };

const toLines = (headers: readonly Header[]): string => headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
const toHeaders = (lines: string): Header[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? { name: line, value: '' } : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });

/** Headers as they are written in every documentation: `Name: value`, one on a line. */
export function HeaderLines({ id, value, onChange, onBlur }: ControlProps<Header[]>) {
  const given = value ?? [];
  const [typed, setTyped] = useState(() => toLines(given));
  // What was put in from outside, by a preset, is not what was typed last.
  const shown = JSON.stringify(toHeaders(typed)) === JSON.stringify(given) ? typed : toLines(given);
  return (
    <Input.TextArea
      id={id}
      value={shown}
      className="lc-code"
      autoSize={{ minRows: 2, maxRows: 8 }}
      placeholder={example}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange?.(toHeaders(event.target.value));
      }}
      onBlur={onBlur}
    />
  );
}
