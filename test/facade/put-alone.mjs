// Makes one append without credentials, for which the client uses the shared batch call: node put-alone.mjs URL STREAM
// ID TYPE. The second answer to an unusable event ends the process of the client, so the probe runs in a child process.
import { EventStoreDBClient } from '@eventstore/db-client';

const [, , url, stream, id, type] = process.argv;
const event = { id, type, contentType: 'application/json', data: {} };
const client = EventStoreDBClient.connectionString(url);
const answer = await client.appendToStream(stream, event).catch(({ type: failed, message }) => ({ failed, message }));
process.stdout.write(JSON.stringify(answer));
setTimeout(() => process.exit(0), 4_000);
