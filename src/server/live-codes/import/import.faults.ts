export type ParseFault =
  | 'import.unreadable'
  | 'import.too_many_rows'
  | 'import.too_many_columns'
  | 'import.too_much_text'
  | 'import.too_large'
  | 'import.too_demanding'
  | 'import.empty';
export class ImportFault extends Error {
  readonly code: ParseFault;
  constructor(code: ParseFault) {
    super(code);
    this.code = code;
  }
}
