import type { ControlProps } from '../form/controls.tsx';

export type RichTextFieldProps = ControlProps<string> & {
  /** Names the field for those who don't see it: message key or text. */
  label: string;
  placeholder?: string;
  /** Height of the empty field in pixels. */
  height?: number;
};
