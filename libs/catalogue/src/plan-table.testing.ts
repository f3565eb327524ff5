/** A literal copy of the table in `specification.md` §9. */
export const specified = `
| Plan | Content sections | Users | Traffic per month | QA domains | Web analytics domains | Hard limits |
|---|---|---|---|---|---|---|
| essential | 1 | not shown | 500000 | not shown | not shown | not shown |
| professional | 2 | not shown | 2000000 | not shown | not shown | not shown |
| enterprise (first line) | 1000 | not shown | 2000000000 | not shown | not shown | not shown |
| solo | 1 | 1 | 100000 | 0 | 0 | 1 content section, 2 users |
| teams | 2 | 5 | 1000000 | 0 | 0 | 10 users |
| enterprise (second line) | 1000 | 1000 | 2000000000 | not shown | not shown | none |
| light | 1 | 1 | 50000 | 0 | 0 | as solo |
`;
