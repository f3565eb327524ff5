// Specs that serve keep their tables in PostgreSQL, see serving.ts.
process.env.SPEC_DOCUMENTS = 'postgres';
