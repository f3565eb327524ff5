// Specs that serve have their tables in a PostgreSQL, see serving.ts.
process.env.SPEC_DOCUMENTS = 'postgres';
