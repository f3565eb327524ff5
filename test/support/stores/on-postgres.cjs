// Each spec that starts the service then uses tables in PostgreSQL; see serving.ts.
process.env.SPEC_DOCUMENTS = 'postgres';
