import type { ProblemText } from './problem-text';

/** The problems of the command line: files, settings and stores. */
export const commandLineProblems = {
  'settings-refused': {
    title: 'A setting has a wrong value',
    meaning: 'The command cannot start, because an environment variable has a wrong value. `detail` names it.',
    remedy: 'Correct the setting. The reference of settings lists each name with its possible values.',
  },
  'catalogue-refused': {
    title: 'The catalogue has errors',
    meaning: 'The file in the setting `CATALOGUE_FILE` breaks the rules of a catalogue. `problems` lists the errors.',
    remedy: 'Correct the file, and check it: `charter catalogue check`.',
  },
  'no-catalogue': {
    title: 'The file is no catalogue',
    meaning: 'The command cannot read the named file as a catalogue.',
    remedy: 'Name a file with a catalogue in JSON.',
  },
  'store-refused': {
    title: 'The store cannot be opened',
    meaning: 'The event log or the tables refuse the connection, or belong to another installation.',
    remedy: 'Follow the sentence in `detail`. It names the store and the setting.',
  },
  'no-store': {
    title: 'There is no event log at this place',
    meaning: 'The command found no event log where the settings say that it is.',
    remedy: 'Check the settings `CHARTER_DATA` and `EVENT_LOG`. A server makes a new store when it starts.',
  },
  'event-log': {
    title: 'The event log refused the request',
    meaning: 'The event log reported an error that a repetition does not solve.',
    remedy: 'Follow the sentence in `detail`.',
  },
  interrupted: {
    title: 'The import was interrupted',
    meaning: 'The event log did not answer during an import. The imported events stay in the log.',
    remedy: 'Run the command again: it continues after the last imported event.',
  },
  'not-carried': {
    title: 'The import refused the file',
    meaning: 'The file is damaged or incomplete, or the store already holds other events.',
    remedy: 'Follow the sentence in `detail`. An import needs an empty store and a complete export.',
  },
  'same-file': {
    title: 'The file belongs to this installation',
    meaning: 'The command imports the people of another installation, but the named file belongs to this one.',
    remedy: 'Name the file of the other installation.',
  },
  'other-secret': {
    title: 'The session secret differs',
    meaning: 'The tables were encrypted with another session secret, so this installation could not read them.',
    remedy: 'Set `SESSION_SECRET` to the secret of the other installation. `detail` names its file.',
  },
  'not-embedded': {
    title: 'The stores are not embedded',
    meaning: 'The command copies only embedded stores, which are files.',
    remedy: 'Use the backup of the database server and of the event store.',
  },
  'no-file': {
    title: 'There is no such file',
    meaning: 'The command found no file at the named path.',
    remedy: 'Check the path.',
  },
  'file-exists': {
    title: 'The file exists already',
    meaning: 'The command does not overwrite files.',
    remedy: 'Name a new file.',
  },
  'not-writable': {
    title: 'The file cannot be written',
    meaning: 'The operating system refused to create the file.',
    remedy: 'Check the path, the permissions and the free space.',
  },
  'no-folder': {
    title: 'There is no such folder',
    meaning: 'The command found no folder at the named path.',
    remedy: 'Check the path.',
  },
  'folder-exists': {
    title: 'The folder exists already',
    meaning: 'The command does not overwrite folders.',
    remedy: 'Name a new folder.',
  },
  'no-certificates': {
    title: 'The folder contains no certificates',
    meaning: 'The command repeats erasures from certificates, and the folder is empty.',
    remedy: 'Name the folder that contains the certificates.',
  },
  'no-key': {
    title: 'The text is no public key',
    meaning: 'The command cannot read the named key as the public key of signed checkpoints.',
    remedy: 'Copy the whole key from `/.well-known/charter-checkpoint-key`.',
  },
  'not-confirmed': {
    title: 'The erasure was not confirmed',
    meaning:
      'The typed text is not the id of the account, or the operator cancelled the question. The command changed nothing.',
    remedy: 'Run the command again, and type the id of the account.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
