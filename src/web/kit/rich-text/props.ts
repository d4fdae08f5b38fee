import type { ControlProps } from '../form/controls.tsx';

export type RichTextFieldProps = ControlProps<string> & {
  /** Names the field for screen readers: message key or text. */
  label: string;
  placeholder?: string;
  /** Height of the empty field in pixels. */
  height?: number;
};
