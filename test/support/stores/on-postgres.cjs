// With this file, specs that start the service keep its tables in PostgreSQL; see serving.ts.
process.env.SPEC_DOCUMENTS = 'postgres';
