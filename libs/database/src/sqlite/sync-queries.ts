import type { DatabaseSync } from 'node:sqlite';
import type { QuerySync } from '../read-model/view-store';
import { translateSqliteError } from './failure';

/**
 * Creates synchronous queries on a connection.
 * @throws from each query: DatabaseUnavailable, and errors of the statement
 */
export const syncQueriesOn = (connection: DatabaseSync): QuerySync => {
  return (sql) => {
    const statement = connection.prepare(sql);
    return (...parameters) => {
      try {
        return statement.get(...parameters);
      } catch (error) {
        throw translateSqliteError(error);
      }
    };
  };
};
