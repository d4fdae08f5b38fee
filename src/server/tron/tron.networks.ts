/** The contract of USDT on TRON's main network. */
export const mainContract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
/** The contract of test USDT on the embedded network. */
export const testContract = 'TNHVoCdYHBJNThKDbnBh5dB4QWSpnL1Bba';
