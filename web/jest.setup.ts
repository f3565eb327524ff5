import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

/** Milliseconds. Specs wait for conditions, and a busy machine takes longer than the default of one second. */
configure({ asyncUtilTimeout: 20_000 });
