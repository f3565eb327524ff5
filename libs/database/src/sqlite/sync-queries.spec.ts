import { DatabaseSync } from 'node:sqlite';
import { folder } from '../database.testing';
import { DatabaseUnavailable } from '../unavailable';
import { syncQueriesOn } from './sync-queries';

describe('Synchronous query', () => {
  const { file, remove } = folder();
  const [reading, writing] = [new DatabaseSync(file()), new DatabaseSync(file())];
  // Without WAL, a writer locks the readers out.
  writing.exec('CREATE TABLE notes (text TEXT NOT NULL); INSERT INTO notes VALUES (1)');
  const textOf = syncQueriesOn(reading)('SELECT text FROM notes WHERE text = ?');
  afterAll(() => {
    reading.close();
    writing.close();
    remove();
  });

  it('throws DatabaseUnavailable while another connection has locked the file, and then works again', () => {
    writing.exec('BEGIN EXCLUSIVE');
    expect(() => textOf('1')).toThrow(DatabaseUnavailable);
    writing.exec('ROLLBACK');
    expect(textOf('1')).toEqual({ text: '1' });
  });

  it('throws every other error as it is', () => {
    expect(() => textOf('1', '2')).toThrow('column index out of range');
  });
});
