import { start } from './process/start';

void start();
