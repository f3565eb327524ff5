import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

/**
 * Milliseconds. Specs wait for conditions. On a busy machine this takes longer than the default limit of one second.
 */
configure({ asyncUtilTimeout: 20_000 });
