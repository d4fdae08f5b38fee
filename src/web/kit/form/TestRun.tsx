import { ApiOutlined } from '@ant-design/icons';
import { Button, Collapse, Form, Input, Space } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '../calls/api.ts';
import { fieldErrorText } from '../calls/failure.ts';
import { useAction } from '../calls/query.ts';
import { useText } from '../texts/text.ts';
import { issuesOf } from './contract.ts';

type TestRunProps<I extends { url: string }, O> = {
  action: Endpoint<I, O>;
  /** What is tried out, the address aside. */
  subject: () => object;
  /** Message key: what the address is for. */
  label: string;
  /** The address that stands there at first. */
  sample: string;
  /** Shows what is wrong with the subject; without it that is told as every failure is. */
  onFaults?: ((faults: ReadonlyMap<string, string>) => void) | undefined;
  children: (result: O) => ReactNode;
};

/** Tries out what makes requests with an address that one types, and shows all that came of it. */
export function TestRun<I extends { url: string }, O>({ action, subject, label, sample, onFaults, children }: TestRunProps<I, O>) {
  const { t } = useTranslation();
  const text = useText();
  const [url, setUrl] = useState(sample);
  const [result, setResult] = useState<O | null>(null);
  const [urlFault, setUrlFault] = useState<string>();
  const test = useAction(action, {
    success: false,
    onFailure: ({ fields }) => showFaults(Object.entries(fields).map(([path, code]) => [path, fieldErrorText(code)])),
  });

  /** True says that every fault has a place where it is shown. */
  function showFaults(faults: (readonly [path: string, words: string])[]): boolean {
    const { url: ofUrl, ...others } = Object.fromEntries(faults);
    setUrlFault(ofUrl);
    onFaults?.(new Map(Object.entries(others)));
    return faults.length > 0 && (onFaults !== undefined || Object.keys(others).length === 0);
  }

  async function run() {
    setResult(null);
    const input = { ...subject(), url };
    const issues = issuesOf(action.call, input);
    showFaults(issues.map(({ path, code, params }) => [path, fieldErrorText(code, params)]));
    // The contract has just accepted this very object as its input.
    if (issues.length === 0) setResult((await test.run(input as I)) ?? null);
  }
  return (
    <div className="lc-test-run">
      <Form.Item validateStatus={urlFault ? 'error' : ''} help={urlFault}>
        <Space.Compact className="lc-wide">
          <Input
            className="lc-code"
            aria-label={text(label)}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            onPressEnter={(event) => {
              // Enter tries out, Ctrl-Enter sends the form around.
              if (event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              if (!event.nativeEvent.isComposing && !test.isRunning) void run();
            }}
          />
          <Button icon={<ApiOutlined />} loading={test.isRunning} onClick={() => void run()}>
            {t('menu.button.test')}
          </Button>
        </Space.Compact>
      </Form.Item>
      <div role="status">{result && children(result)}</div>
    </div>
  );
}

type Header = { name: string; value: string };
export const headerLines = (headers: readonly Header[]): string => headers.map(({ name, value }) => `${name}: ${value}`).join('\n');

/** One part of what was sent and answered; `label` is finished text. */
export type TracePart = { key: string; label: string; text: string };

/** What was sent and what came back, part by part. */
export function Trace({ parts, isOpen }: { parts: readonly TracePart[]; isOpen: boolean }) {
  if (parts.length === 0) return null;
  return (
    <Collapse
      size="small"
      defaultActiveKey={isOpen ? parts.map(({ key }) => key) : []}
      items={parts.map(({ key, label, text }) => ({ key, label, children: <pre className="lc-code lc-trace">{text}</pre> }))}
    />
  );
}
