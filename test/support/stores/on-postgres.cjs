// Makes specs that start the service store its tables in PostgreSQL; see serving.ts.
process.env.SPEC_DOCUMENTS = 'postgres';
